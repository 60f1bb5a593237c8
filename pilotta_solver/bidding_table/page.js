
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const body = document.querySelector(".list tbody");
  const rows = all("tr", body);
  const cells = all(".grid td button");
  const heads = all(".list thead th");
  const selects = all("select[data-quantity]");
  const textOf = (one) => `${one.label} ${one.values.join(" ")}`.toLowerCase();
  const beside = window.matchMedia("(min-width: 75rem)");
  let pinned = null;

  const percent = (p) => {
    if (p === null) return "–";
    if (p > 0 && p < 0.005) return "<1";
    if (p < 1 && p >= 0.995) return ">99";
    return String(Math.round(100 * p));
  };
  const word = (level) => (level === 0 ? "pass" : String(level));
  const signed = (x) => (x === null ? "–" : (x > 0 ? "+" : x < 0 ? "−" : "") + Math.abs(x).toFixed(1));

  // ---- the call of each class: the best on the sheet, or as high as a rule allows

  const choose = (one, rule) => {
    let k = data.levels.indexOf(rule === "gains" ? one.highest : one.best);
    if (Number(rule) > 0) k = one.p.findLastIndex((p) => p !== null && p >= Number(rule));
    one.call = k < 0 ? 0 : data.levels[k];
    one.at = Math.max(k, 0);
  };
  const either = (one, text) => (one.call ? text : `(${text})`);
  const shade = (node, one) => {
    node.classList.remove("no", ...data.shades);
    node.classList.add(one.call ? data.shades[one.at] : "no");
  };
  const fill = (node, text, small) => {
    const apart = document.createElement("small");
    apart.textContent = small;
    node.replaceChildren(text, apart);
  };
  const recall = (rule) => {
    data.classes.forEach((one, i) => {
      choose(one, rule);
      if (one.few) return;
      const bid = rows[i].querySelector(".bid");
      bid.textContent = word(one.call);
      shade(bid, one);
      const range = `${percent(one.low[one.at])}–${percent(one.high[one.at])}`;
      fill(rows[i].querySelector(".chance"), `${either(one, percent(one.p[one.at]))} `, range);
      rows[i].querySelector(".sheet").textContent = either(one, signed(one.sheet[one.at]));
    });
    cells.forEach((cell) => {
      const one = data.classes[Number(cell.dataset.class)];
      fill(cell, word(one.call), either(one, percent(one.p[one.at])));
      shade(cell, one);
      const said = one.call ? `, ${percent(one.p[one.at])} %` : "";
      cell.setAttribute("aria-label", `${one.label}: ${word(one.call)}${said}${one.rare ? ", rare" : ""}`);
    });
  };

  // ---- sorting

  const keyOf = (name) => {
    if (name.startsWith("by")) return (one) => one.ranks[Number(name.slice(2))];
    const unless = (get) => (one) => (one.few ? null : get(one));
    if (name.startsWith("p")) return unless((one) => one.p[Number(name.slice(1))]);
    if (name === "chance") return unless((one) => one.p[one.at]);
    if (name === "highest") return unless((one) => one.highest);
    if (name === "best") return unless((one) => one.call);
    if (name === "sheet") return unless((one) => one.sheet[one.at]);
    return (one) => one[name];
  };

  const sortBy = (head, direction) => {
    heads.forEach((other) => other.setAttribute("aria-sort", "none"));
    let order = rows.map((_, i) => i);
    if (head) {
      head.setAttribute("aria-sort", direction);
      const key = keyOf(head.dataset.key);
      const sign = direction === "ascending" ? 1 : -1;
      order = order.sort((a, b) => {
        const x = key(data.classes[a]);
        const y = key(data.classes[b]);
        if (x === null || y === null) return (x === null) - (y === null) || a - b;
        return sign * (x - y) || a - b;
      });
    }
    body.append(...order.map((i) => rows[i]));
  };

  heads.forEach((head) => {
    head.querySelector("button").addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const first = head.dataset.key.startsWith("by") ? "ascending" : "descending";
      const second = first === "ascending" ? "descending" : "ascending";
      sortBy(head, now === first ? second : first);
    });
  });

  // ---- filters

  const filter = () => {
    const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const common = byId("common").checked;
    const fits = (one, text, ranks) =>
      words.every((word) => text.includes(word)) &&
      !(common && one.rare) &&
      selects.every((select) =>
        select.value === "" || ranks[Number(select.dataset.quantity)] === Number(select.value));
    const shown = data.classes.map((one) => fits(one, textOf(one), one.ranks));
    rows.forEach((row, i) => { row.hidden = !shown[i]; });
    cells.forEach((cell) => {
      const one = data.classes[Number(cell.dataset.class)];
      // A cell that is lent to a row goes by the name of that row too.
      const row = cell.closest("tr");
      const name = row.querySelector("th").textContent.toLowerCase();
      const ranks = [Number(row.dataset.rank), ...one.ranks.slice(1)];
      cell.classList.toggle("off", !fits(one, `${name} ${textOf(one)}`, ranks));
    });
    all(".grid tbody tr").forEach((row) => {
      row.hidden = all("button", row).every((cell) => cell.classList.contains("off"));
    });
    const n = shown.filter(Boolean).length;
    byId("shown").textContent = `${n} of ${data.classes.length} kinds of hand`;
  };

  const controls = byId("controls");
  byId("rule").addEventListener("change", () => {
    recall(byId("rule").value);
    const head = heads.find((one) => one.getAttribute("aria-sort") !== "none");
    if (head) sortBy(head, head.getAttribute("aria-sort"));
    if (pinned === null) close();
    else show(pinned);
  });
  ["input", "change"].forEach((kind) => controls.addEventListener(kind, filter));
  controls.addEventListener("submit", (event) => event.preventDefault());
  byId("everything").addEventListener("click", () => {
    controls.reset();
    recall("");
    sortBy(null);
    filter();
  });

  // ---- one view at a time

  const views = all("[data-view]", controls);
  const view = (name) => {
    views.forEach((button) => {
      button.setAttribute("aria-pressed", String(button.dataset.view === name));
      byId(button.dataset.view).hidden = button.dataset.view !== name;
    });
  };
  views.forEach((button) => button.addEventListener("click", () => view(button.dataset.view)));

  // ---- the curve over levels

  const draw = (parent, name, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    if (text !== undefined) node.textContent = text;
    parent.append(node);
  };

  const picture = (one) => {
    const svg = byId("picture");
    svg.replaceChildren();
    const last = data.levels.length - 1;
    const x = (k) => 34 + (294 * k) / Math.max(last, 1);
    const step = Math.ceil(data.levels.length / 10);
    const y = (p) => 172 - 152 * p;
    [0, 0.25, 0.5, 0.75, 1].forEach((p) => {
      draw(svg, "line", { class: "rule", x1: 28, x2: 334, y1: y(p), y2: y(p) });
      draw(svg, "text", { x: 25, y: y(p) + 4, "text-anchor": "end" }, `${100 * p}`);
    });
    data.levels.forEach((level, k) => {
      if (k % step === 0) {
        draw(svg, "text", { x: x(k), y: 188, "text-anchor": "middle" }, String(level));
      }
    });
    const known = data.levels.map((_, k) => k).filter((k) => one.p[k] !== null);
    const at = (k, p) => `${x(k).toFixed(1)},${y(p).toFixed(1)}`;
    const edge = known.map((k) => at(k, one.high[k]));
    const back = known.map((k) => at(k, one.low[k])).reverse();
    draw(svg, "polygon", { class: "band", points: [...edge, ...back].join(" ") });
    draw(svg, "polyline", { class: "line", points: known.map((k) => at(k, one.p[k])).join(" ") });
    if (one.call && !one.few) {
      const k = one.at;
      const right = k > last / 2;
      draw(svg, "line", { class: "mark", x1: x(k), x2: x(k), y1: y(0), y2: y(1) });
      draw(svg, "text", {
        class: "said", x: x(k) + (right ? -5 : 5), y: 13, "text-anchor": right ? "end" : "start",
      }, `bid ${one.call}: ${percent(one.p[k])} %`);
    }
    known.forEach((k) => {
      const best = one.call && !one.few && k === one.at;
      draw(svg, "circle", {
        class: best ? "dot best" : "dot", cx: x(k), cy: y(one.p[k]), r: best ? 5 : 3,
      });
    });
  };

  const show = (i) => {
    const one = data.classes[i];
    byId("curve-title").textContent = one.label;
    const notes = [
      one.few ? "Too few hands to name a call." :
        one.best ? `Best on the sheet: ${one.best}.` : "Pass: no bid gains on average.",
      `Mean total ${one.mean.toFixed(1)}, from ${one.n.toLocaleString("en-GB")} hand${one.n === 1 ? "" : "s"}.`,
    ];
    if (one.merged) notes.push("Rare hands put together.");
    if (one.rare && !one.few) notes.push("Rare: the numbers are rough.");
    byId("curve-text").textContent = notes.join(" ");
    picture(one);
    byId("levels").replaceChildren(...data.levels.map((level, k) => {
      const row = document.createElement("tr");
      if (level === one.call && !one.few) row.className = "best";
      const range = one.p[k] === null ? "–" : `${percent(one.low[k])} to ${percent(one.high[k])}`;
      [
        String(level), one.few ? "–" : percent(one.p[k]), range, one.few ? "–" : signed(one.sheet[k]),
      ].forEach((text) => {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.append(cell);
      });
      return row;
    }));
    byId("curve").hidden = false;
  };

  const mark = () => {
    rows.forEach((row, i) => row.classList.toggle("open", i === pinned));
    cells.forEach((cell) => cell.classList.toggle("open", Number(cell.dataset.class) === pinned));
  };
  const close = () => {
    pinned = null;
    byId("curve").hidden = true;
    mark();
  };
  const pin = (i) => {
    if (pinned === i) { close(); return; }
    pinned = i;
    show(i);
    mark();
  };
  const peek = (i) => { if (pinned === null && beside.matches) show(i); };

  const listen = (node, i) => {
    node.addEventListener("click", () => pin(i));
    node.addEventListener("mouseenter", () => peek(i));
    node.addEventListener("focusin", () => peek(i));
  };
  rows.forEach(listen);
  cells.forEach((cell) => listen(cell, Number(cell.dataset.class)));
  byId("close").addEventListener("click", close);
  // What was only pointed at must not cover the page once the window has become narrow.
  beside.addEventListener("change", () => { if (pinned === null) close(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });

  recall("");
  controls.hidden = false;
  if (views.length) view(views[0].dataset.view);
  filter();
  peek(Math.max(data.classes.findIndex((one) => !one.few), 0));
})();
