"""``pilotta simulate``: millions of deals with exact values, as a dataset of Parquet parts."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from pilotta_cli.around import ABOUT_A_HAND, Around, around_options
from pilotta_cli.options import (
    CONTRACTS,
    SEAT,
    examples,
    jobs_option,
    json_option,
    rules_options,
    seed_option,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import Talk, json_line, speed_words
from pilotta_cli.played import ABOUT_THE_PLAY, Played, played_options

if TYPE_CHECKING:
    from pilotta_solver.datasets.dataset import Dataset
    from pilotta_solver.datasets.simulation import Simulation
    from pilotta_solver.datasets.verification import Verification
    from pilotta_solver.ruleset import Ruleset

# What a check reads from the dataset itself.
_OF_A_RUN = {
    "n_deals": "-n",
    "contracts": "--contracts",
    "leader": "--leader",
    "hand": "--hand",
    **ABOUT_A_HAND,
    "system": "--system",
    **ABOUT_THE_PLAY,
    "part_size": "--part-size",
    "seed": "--seed",
    "rules": "--rules",
    "settings": "--set",
}


@click.command(
    short_help="Millions of deals with exact values, as Parquet files.",
    epilog=examples(
        "pilotta simulate -n 1000000 -o deals --seed 1",
        "pilotta simulate -n 100000 -o deals --contracts SHDCNA --rules classic",
        'pilotta simulate -n 20000 -o hand --hand "♠J9AK ♥108 ♦A7" --auction "P 80H P"',
        "pilotta simulate -n 1000000 -o s3://bucket/deals --cluster tcp://10.0.0.1:8786",
        "pilotta simulate -n 1000 -o played --model table --contracts S",
        "pilotta simulate -n 10000 -o bid --model table --bid-by cyprus-basic",
        "pilotta simulate -o deals --verify",
        "pilotta simulate -o deals --repair",
    ),
)
@click.option(
    "-n",
    "--deals",
    "n_deals",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many deals the dataset has in the end.",
)
@click.option(
    "-o",
    "--output",
    "where",
    required=True,
    metavar="DIR|URI",
    help="The dataset: a new folder, or one that an earlier run began; s3:// and the like too.",
)
@click.option(
    "--contracts",
    type=CONTRACTS,
    default="SHDC",
    metavar="TRUMPS",
    help="What to solve: letters of S, H, D, C, N (no trump), A (all trump).",
)
@click.option(
    "-l", "--leader", type=SEAT, default="N", metavar="SEAT", help="Who leads: N, W, S or E."
)
@around_options
@played_options
@click.option(
    "--part-size",
    type=click.IntRange(1, 200_000),
    show_default="20000, or 1000 with --model table",
    metavar="N",
    help="Deals a part; a run that is killed loses at most the parts it is at.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS|local",
    envvar="PILOTTA_CLUSTER",
    show_envvar=True,
    help="Make the parts on the workers of a Dask scheduler; 'local' starts one with -j workers.",
)
@click.option(
    "--verify",
    is_flag=True,
    help="Make nothing: check every part, and solve a random sample of deals again.",
)
@click.option(
    "--repair", is_flag=True, help="Check likewise, and make damaged and missing parts again."
)
@tongue_option("--cards", "--tongue")
@seed_option
@rules_options
@jobs_option
@json_option
@talk_options
@click.pass_context
def simulate(
    context: click.Context,
    *,
    n_deals: int | None,
    where: str,
    contracts: tuple[int, ...],
    leader: int,
    around: Around,
    played: Played,
    part_size: int | None,
    cluster: str | None,
    verify: bool,
    repair: bool,
    seed: int | None,
    rules: Ruleset,
    jobs: int | None,
    as_json: bool,
    talk: Talk,
) -> None:
    """Deal N random deals, solve each in every contract, and write them as a dataset.

    A dataset is a folder of Parquet parts and a manifest. Deal i depends on the seed and i alone:
    a run that was stopped in any way goes on when the same command is given again, and the bytes
    in the end do not depend on that, on --jobs or on --cluster. A dataset grows when a larger -n
    is given. Every column is in docs/schema.md; 'pilotta show DIR' shows a dataset.

    With --bid-by the four hands bid first, and a row has the contract they reach. With --model
    table every contract is also played by players who see only their own cards.
    """
    if verify or repair:
        _check_usage(context, "--repair" if repair else "--verify")
        _check(where, repair, jobs, cluster, as_json, talk)
        return
    if n_deals is None:
        raise click.UsageError("Missing option '-n' / '--deals': say how many deals to make.")
    from pilotta_solver.datasets import simulation

    wanted = around.simulation(
        _seed(where) if seed is None else seed,
        rules,
        trumps=contracts,
        leader=leader,
        **played.simulated(),
    )
    talk.compile_engine()
    started, n_before = time.perf_counter(), None
    with talk.progress("Simulating", unit="deals") as progress:

        def count(done: int, total: int) -> None:
            nonlocal n_before
            n_before = done if n_before is None else n_before
            progress(done, total)

        dataset = simulation.simulate(
            where,
            wanted,
            n_deals,
            part_size=part_size,
            jobs=jobs,
            cluster=cluster,
            progress=count,
            notice=talk.say,
        )
    n_made = dataset.n_deals - (n_before or 0)
    _tell(dataset, wanted, n_made, time.perf_counter() - started, as_json, talk)


def _seed(where: str) -> int:
    """The seed of the dataset that stands there already, or a new one."""
    from pilotta_solver.datasets.dataset import Dataset
    from pilotta_solver.datasets.storage import open_folder

    dataset = Dataset.open(open_folder(where))
    if dataset is not None and isinstance(dataset.settings.get("seed"), int):
        return int(dataset.settings["seed"])
    return secrets.randbits(32)


def _tell(
    dataset: Dataset,
    simulation: Simulation,
    n_made: int,
    seconds: float,
    as_json: bool,
    talk: Talk,
) -> None:
    """Say what is there now."""
    if as_json:
        click.echo(json_line(_summary(dataset) | {"n_deals_made": n_made}))
    n_bytes = dataset.n_bytes
    speed = f"; {n_made:,} made at {speed_words(n_made / seconds, 'deals')}" if n_made else ""
    how = ""
    if simulation.bid_by is not None:
        how += f", bid by {simulation.bid_by.name}"
    if simulation.play is not None:
        how += f", played with {simulation.play.n_worlds} worlds a card"
    talk.say(
        f"{dataset.folder.name}: {dataset.n_deals:,} deals in {_parts(dataset.n_parts)}, "
        f"{n_bytes / 1e6:,.1f} MB ({n_bytes / dataset.n_deals:.1f} bytes a deal), "
        f"rules {simulation.rules.name}, seed {simulation.seed}{how}{speed}."
    )


def _parts(n: int) -> str:
    return "1 part" if n == 1 else f"{n:,} parts"


def _summary(dataset: Dataset) -> dict[str, Any]:
    settings = dataset.settings
    return {
        "path": dataset.folder.name,
        "rules": settings["rules"]["name"],
        "version": settings["version"],
        "seed": settings["seed"],
        "contracts": settings["contracts"],
        "leader": settings["leader"],
        "bid_by": settings["bid_by"]["name"] if "bid_by" in settings else None,
        "model": settings.get("model", "dd"),
        "decision_worlds": settings.get("decision_worlds"),
        "aim": settings.get("aim"),
        "n_deals": dataset.n_deals,
        "n_parts": dataset.n_parts,
        "n_bytes": dataset.n_bytes,
    }


def _check_usage(context: click.Context, flag: str) -> None:
    """Refuse what a check does not heed."""
    for name, option in _OF_A_RUN.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option} does not go with {flag}, which reads it from the dataset; leave it out."
            )


def _check(
    where: str, repair: bool, jobs: int | None, cluster: str | None, as_json: bool, talk: Talk
) -> None:
    """Check a dataset, and mend it if so asked."""
    talk.compile_engine()
    from pilotta_solver.datasets import verification

    def told(found: Verification) -> None:
        if not as_json:
            for file, what in found.damages:
                click.echo(f"{found.dataset.folder.where(file)}: {what}")

    with talk.progress("Repairing" if repair else "Verifying", unit="deals") as progress:
        if repair:
            found = verification.repair(
                where, jobs=jobs, cluster=cluster, notice=talk.say, told=told, progress=progress
            )
        else:
            found = verification.verify(where, progress=progress)
            told(found)
    name, n_parts = found.dataset.folder.name, found.dataset.n_parts
    if as_json:
        damages = [{"file": file, "what": what} for file, what in found.damages]
        counts = {
            "n_parts_missing": found.n_parts_missing,
            "n_solved_again": found.n_solved_again,
            "damages": damages,
        }
        click.echo(json_line(_summary(found.dataset) | counts))
    if found.n_parts_missing:
        raise click.ClickException(
            f"{name}: {found.n_parts_missing} of {n_parts} parts are damaged or missing; make them "
            "again with --repair"
        )
    if found.damages and not repair:
        raise click.ClickException(
            f"{name}: {len(found.damages)} files are none of this dataset's; move them away"
        )
    if not as_json:
        click.echo(
            f"{name}: sound; {found.dataset.n_deals:,} deals in {_parts(n_parts)}, "
            f"{found.n_solved_again:,} deals solved again"
        )
