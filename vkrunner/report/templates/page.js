"use strict";
(() => {
  const panes = [...document.querySelectorAll(".code")];
  const rows = new Map();
  for (const pane of panes) {
    for (const line of pane.querySelectorAll("[data-i]")) {
      for (const number of line.dataset.i.split(" ")) {
        if (!rows.has(number)) rows.set(number, []);
        rows.get(number).push(line);
      }
    }
  }
  const accesses = new Map();
  for (const row of document.querySelectorAll("[data-of]")) {
    if (!accesses.has(row.dataset.of)) accesses.set(row.dataset.of, []);
    accesses.get(row.dataset.of).push([...row.cells].slice(2, 5).map((cell) => cell.textContent).join(": "));
  }
  try {
    const isLight = parent.document.body.dataset.jpThemeLight; // of JupyterLab
    for (const rule of isLight ? document.styleSheets[0].cssRules : []) {
      if (rule.conditionText === "(prefers-color-scheme: dark)") {
        rule.media.mediaText = isLight === "true" ? "not all" : "all";
        document.documentElement.style.colorScheme = isLight === "true" ? "light" : "dark";
      }
    }
  } catch { /* a frame on a page of another origin */ }
  const why = document.getElementById("why");
  let chosen = [];
  const current = new Map();
  function choose(line) {
    for (const old of chosen) old.classList.remove("on");
    const home = line.closest(".code");
    current.set(home, line);
    chosen = [...new Set(line.dataset.i.split(" ").flatMap((number) => rows.get(number) || []))];
    for (const one of chosen) one.classList.add("on");
    why.textContent = line.dataset.i.split(" ").flatMap((number) => accesses.get(number) || []).join(" ");
    for (const pane of panes) {
      const first = pane === home ? line : chosen.find((one) => pane.contains(one));
      if (!first) continue;
      if (pane !== home) current.set(pane, first);
      const box = first.getBoundingClientRect(), frame = pane.getBoundingClientRect();
      if (box.top < frame.top || box.bottom > frame.bottom) {
        pane.scrollTop += box.top - frame.top - pane.clientHeight / 3;
      }
    }
  }
  for (const pane of panes) {
    pane.addEventListener("click", (event) => {
      const line = event.target.closest("[data-i]");
      if (line) choose(line);
    });
    pane.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const lines = [...pane.querySelectorAll("[data-i]")];
      const at = lines.indexOf(current.get(pane));
      const next = lines[at < 0 ? 0 : Math.min(lines.length - 1, Math.max(0, at + step))];
      if (!next) return;
      event.preventDefault();
      choose(next);
    });
  }
  function follow() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target || !target.dataset.i) return;
    const line = rows.get(target.dataset.i.split(" ")[0])[0];
    document.querySelector(".panes").scrollIntoView();
    choose(line);
    line.closest(".code").focus({ preventScroll: true });
  }
  const only = document.getElementById("only");
  if (only) {
    only.addEventListener("change", () => {
      document.getElementById("accesses").classList.toggle("checked", only.checked);
    });
  }
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#i']");
    if (link && link.hash === location.hash) follow();
  });
  addEventListener("load", () => requestAnimationFrame(follow));
})();
