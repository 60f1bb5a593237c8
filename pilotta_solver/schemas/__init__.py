"""What the columns of every table mean: data of its own, for files, their pages and their readers.

``docs/schema.md`` is generated from the schemas; JSON, CSV and Parquet share their names.
"""

from __future__ import annotations

from pilotta_solver.schemas.bid import BID as BID
from pilotta_solver.schemas.classes import (
    CLASS_COLUMNS as CLASS_COLUMNS,
    TABLE as TABLE,
    table_schema as table_schema,
)
from pilotta_solver.schemas.column import (
    TRUMP_WORDS as TRUMP_WORDS,
    Column as Column,
    ColumnType as ColumnType,
    Schema as Schema,
)
from pilotta_solver.schemas.deals import (
    BID_OUT as BID_OUT,
    DEAL as DEAL,
    SIMULATE as SIMULATE,
    bid_out_schema as bid_out_schema,
    simulate_schema as simulate_schema,
)
from pilotta_solver.schemas.positions import PLAY as PLAY, SOLVE as SOLVE

SCHEMAS = (BID, SOLVE, SIMULATE, BID_OUT, DEAL, TABLE, PLAY)
