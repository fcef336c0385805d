"use strict";
// Ways between the overview and the pages of classes, search, sorting, keyboard and theme.

(() => {
  const find = (selector) => document.querySelector(selector);
  const overview = find("#overview");
  const page = find("#class");
  const search = find("#search");
  const table = find("#table");
  const bodies = [...table.tBodies];
  const rows = [...table.querySelectorAll("tr.class")];
  const home = document.title;
  let shown = null;

  // --- theme: as the system is, unless chosen

  const THEMES = ["system", "light", "dark"];
  const theme = find("#theme");
  const remembered = () => {
    try {
      return localStorage.getItem("covolve-theme");
    } catch {
      return null;
    }
  };
  const wear = (name) => {
    if (name === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    theme.textContent = `Theme: ${name}`;
    theme.dataset.name = name;
  };
  const nextTheme = () => {
    const name = THEMES[(THEMES.indexOf(theme.dataset.name) + 1) % THEMES.length];
    wear(name);
    try {
      localStorage.setItem("covolve-theme", name);
    } catch {
      // Files may have no storage; the choice holds as long as the page.
    }
  };
  wear(THEMES.includes(remembered()) ? remembered() : "system");
  theme.addEventListener("click", nextTheme);

  // --- the data of classes

  const unpacked = new Map();
  const unpack = async (number) => {
    const bytes = Uint8Array.from(atob(find(`#data-${number}`).textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).json();
  };
  const dataOf = (number) => {
    if (!unpacked.has(number)) unpacked.set(number, unpack(number));
    return unpacked.get(number);
  };

  // --- ways between pages

  const rowOf = (name, module) =>
    rows.find((row) => row.dataset.name === name && (!module || row.dataset.module === module));

  const crumbs = (name) => find("#crumbs").replaceChildren(...(name ? [Object.assign(document.createElement("span"), { textContent: name })] : []));

  const showOverview = () => {
    page.hidden = true;
    overview.hidden = false;
    document.title = home;
    crumbs(null);
    const row = shown === null ? null : rows[shown];
    shown = null;
    if (row) {
      row.closest("tbody").classList.remove("folded");
      row.querySelector("a").focus();
      row.scrollIntoView({ block: "center" });
    } else {
      scrollTo(0, 0);
    }
  };

  const showClass = async (row, parts) => {
    const number = Number(row.dataset.n);
    if (shown !== number) {
      let data;
      try {
        data = await dataOf(number);
      } catch {
        page.textContent = "This browser cannot unpack the data of classes; a newer one can.";
        data = null;
      }
      if (data) ClassPage.render(page, data, row.dataset.module);
      shown = number;
      overview.hidden = true;
      page.hidden = false;
      document.title = `${row.dataset.name} \u2013 ${home}`;
      crumbs(row.dataset.name);
      scrollTo(0, 0);
      if (!data) return;
      page.querySelector("h1").focus({ preventScroll: true });
    }
    ClassPage.choose(parts);
  };

  const route = () => {
    const parts = new URLSearchParams(location.hash.slice(1));
    const row = parts.get("class") && rowOf(parts.get("class"), parts.get("module"));
    if (row) showClass(row, parts);
    else if (location.hash !== "#main") showOverview();
  };
  addEventListener("hashchange", route);

  // --- folding, searching, sorting

  const fold = (body, isFolded) => {
    body.classList.toggle("folded", isFolded);
    body.querySelector(".package button").setAttribute("aria-expanded", String(!isFolded));
  };
  const wasFolded = new Map(bodies.map((body) => [body, body.classList.contains("folded")]));
  table.addEventListener("click", (event) => {
    const button = event.target.closest(".package button");
    if (!button) return;
    const body = button.closest("tbody");
    fold(body, !body.classList.contains("folded"));
    wasFolded.set(body, body.classList.contains("folded"));
  });

  const filter = () => {
    const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const body of bodies) {
      let here = 0;
      for (const row of body.querySelectorAll("tr.class")) {
        const name = row.dataset.name.toLowerCase();
        row.hidden = !words.every((word) => name.includes(word));
        here += row.hidden ? 0 : 1;
      }
      body.hidden = here === 0;
      fold(body, words.length ? false : wasFolded.get(body));
      found += here;
    }
    find("#found").textContent = words.length ? `${found} of ${rows.length} classes` : "";
  };
  search.addEventListener("input", () => {
    if (shown !== null) location.hash = "";
    filter();
  });

  const sort = (key, column, descends) => {
    const value = (row) => (key === "name" ? row.dataset.name ?? row.textContent : Number(row.cells[column].dataset.v));
    const order = (a, b) => {
      const [x, y] = [value(a), value(b)];
      const way = x < y ? -1 : x > y ? 1 : 0;
      return descends ? -way : way;
    };
    for (const body of bodies) body.append(...[...body.querySelectorAll("tr.class")].sort(order));
    table.append(...[...bodies].sort((a, b) => order(a.rows[0], b.rows[0])));
  };
  table.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("th");
    if (!event.target.closest("button")) return;
    const key = event.target.dataset.key;
    const before = head.getAttribute("aria-sort");
    // Names begin with a, open goals with the most.
    const descends = before ? before === "ascending" : key === "open" || key === "tests";
    table.tHead.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", descends ? "descending" : "ascending");
    sort(key, head.cellIndex, descends);
  });

  // --- keyboard

  const stops = () =>
    [...table.querySelectorAll(".package button, tr.class a")].filter((stop) => stop.offsetParent !== null);
  const step = (far) => {
    const all = stops();
    const at = all.indexOf(document.activeElement);
    const next = all[at < 0 ? (far > 0 ? 0 : -1) : at + far];
    if (!next) return false;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    return true;
  };
  const unfold = (isFolded) => {
    const body = document.activeElement?.closest?.("#table tbody");
    if (!body) return false;
    fold(body, isFolded);
    wasFolded.set(body, isFolded);
    if (isFolded) body.querySelector(".package button").focus();
    return true;
  };
  const help = find("#help");
  const inOverview = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ArrowLeft: () => unfold(true),
    ArrowRight: () => unfold(false),
  };
  const everywhere = {
    "/": () => (search.focus(), search.select(), true),
    t: () => (nextTheme(), true),
    "?": () => (help.showModal(), true),
  };
  const inClass = {
    n: () => (ClassPage.nextOpen(1), true),
    p: () => (ClassPage.nextOpen(-1), true),
  };
  const leave = () => {
    if (document.activeElement === search) {
      search.value = "";
      filter();
      search.blur();
    } else if (shown !== null) {
      location.hash = "";
    }
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.key === "Escape") return void leave();
    const isTyping = event.target.matches?.("input, select");
    if (isTyping && !(event.target === search && event.key === "ArrowDown")) return;
    const does = everywhere[event.key] || (shown === null ? inOverview : inClass)[event.key];
    if (does?.()) event.preventDefault();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const first = rows.filter((row) => !row.hidden).find((row) => row.offsetParent !== null);
    if (first) location.hash = first.querySelector("a").getAttribute("href");
  });
  find("#help-button").addEventListener("click", () => help.showModal());

  route();
})();
