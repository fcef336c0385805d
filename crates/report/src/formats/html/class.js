"use strict";
// The page of a class, made of its data when it is looked at. Every text of the report goes into the page as text.

const ClassPage = (() => {
  const MOST_ROWS = 200;
  const MOST_NAMES = 4;

  const el = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  };
  const title = (criterion) => (criterion.charAt(0).toUpperCase() + criterion.slice(1)).replaceAll("-", " ");
  const grouped = (number) => (number > 9999 ? String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f") : String(number));
  const counted = (number, one, many) => `${grouped(number)} ${number === 1 ? one : many}`;
  const percent = (covered, goals) => {
    if (goals === 0) return "\u2013";
    const share = Math.floor((Math.min(covered, goals) * 1000) / goals);
    return `${Math.floor(share / 10)}.${share % 10} %`;
  };
  const isCovered = (goal) => Array.isArray(goal.state);
  // Of mutants that tests had to infect, some are killed as well.
  const isInfection = (goal) => goal.criterion === "weak-mutation";
  const isKilled = (goal) => isCovered(goal) && goal.killers.length > 0;
  const lives = (goal) => isInfection(goal) && isCovered(goal) && view.knowsKills && !isKilled(goal);
  const isOfLines = (criterion) => criterion === "line" || criterion === "branch";

  // What is shown now.
  let view = null;

  const prepare = (data) => {
    const goals = data.goals.map(([criterion, line, text, state, killers]) =>
      ({ criterion: data.criteria[criterion][0], line, text, state, killers }));
    const byLine = new Map();
    const byTest = data.tests.map(() => []);
    for (const goal of goals) {
      if (goal.line > 0) {
        if (!byLine.has(goal.line)) byLine.set(goal.line, []);
        byLine.get(goal.line).push(goal);
      }
      if (isCovered(goal)) for (const test of goal.state) byTest[test].push(goal);
    }
    return { goals, byLine, byTest, knowsKills: goals.some((goal) => isInfection(goal) && isKilled(goal)) };
  };

  const address = (extra) => {
    const parts = new URLSearchParams({ class: view.data.name });
    if (view.module) parts.set("module", view.module);
    for (const [name, value] of Object.entries(extra)) parts.set(name, value);
    return `#${parts}`;
  };

  // A text with some lines of a file, or nothing where the file is not there any more.
  const codeOf = ([, first, last]) => {
    return view.testLines.length ? el("pre", { class: "code", tabindex: "0" }, excerpt(view.testLines, first, last)) : null;
  };

  const testLink = (number) => {
    const name = view.data.tests[number][0];
    return el("a", { class: "mono", href: address({ test: name }) }, name);
  };

  const names = (tests) => {
    const span = el("span");
    tests.slice(0, MOST_NAMES).forEach((test, index) => span.append(index ? ", " : "", testLink(test)));
    if (tests.length > MOST_NAMES) span.append(` and ${tests.length - MOST_NAMES} more`);
    return span;
  };

  const verb = (criterion) => {
    if (criterion === "strong-mutation") return "Killed";
    return criterion === "weak-mutation" ? "Infected" : "Covered";
  };
  const stateWord = (goal) => {
    if (!isCovered(goal)) return "Open";
    if (lives(goal)) return "Lives";
    return isInfection(goal) && isKilled(goal) ? "Killed" : verb(goal.criterion);
  };

  const reason = (goal) => {
    const [kind, , detail, behind] = view.data.reasons[goal.state];
    const box = el("div", { class: "why" }, detail || kind);
    if (behind) box.append(el("div", {}, `To be covered first: ${behind}`));
    return box;
  };

  // A goal of the line that is chosen, without the method that stands above all of them.
  const goalItem = (goal, method) => {
    const covered = isCovered(goal);
    const color = lives(goal) ? "part" : covered ? "good" : "bad";
    const state = el("span", { class: `state ${color}` }, stateWord(goal));
    const text = goal.text.startsWith(method) ? goal.text.slice(method.length).replace(/^: /, "").trim() : goal.text;
    const item = el("li", {}, state, el("span", { class: "of" }, title(goal.criterion)), el("div", {}, text));
    if (!covered) item.append(reason(goal));
    else if (isInfection(goal) && isKilled(goal)) item.append(el("div", { class: "why" }, "by ", names(goal.killers)));
    else if (lives(goal)) item.append(el("div", { class: "why" }, "Infected by ", names(goal.state), "; no test is known to kill it."));
    else if (goal.state.length) item.append(el("div", { class: "why" }, "by ", names(goal.state)));
    return item;
  };

  // The method that most goals of a line name first: `Lexer.isDelimiter(int)`.
  const methodOf = (goals) => {
    const counts = new Map();
    for (const goal of goals) {
      const method = /^[^ ]+\([^()]*\)/.exec(goal.text)?.[0];
      if (method) counts.set(method, (counts.get(method) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] || "";
  };

  // --- the parts of the page

  const heading = () => {
    const { data } = view;
    const at = data.name.lastIndexOf(".");
    const where = [data.module, at < 0 ? "unnamed package" : data.name.slice(0, at)].filter(Boolean).join(" / ");
    const box = el("div", { class: "title" }, el("p", { class: "sub" }, where), el("h1", { tabindex: "-1" }, data.name.slice(at + 1)));
    const open = data.criteria.reduce((sum, [, covered, goals]) => sum + goals - covered, 0);
    const facts = `${counted(data.tests.length, "test", "tests")}, ${counted(open, "open goal", "open goals")}. ` +
      `${grouped(data.executions)} executions in ${data.seconds} seconds.`;
    box.append(el("p", { class: "sub" }, facts));
    const contents = el("nav", { class: "contents", "aria-label": "Parts of this page" });
    for (const [id, text] of [["source", "Source"], ["open", `Open goals (${grouped(open)})`], ["tests", `Tests (${data.tests.length})`]]) {
      const link = el("a", { href: address({ part: id }) }, text);
      contents.append(link);
    }
    box.append(contents);
    if (data.diagnostics.length) {
      box.append(el("ul", { class: "diagnostics" }, ...data.diagnostics.map((text) => el("li", {}, text))));
    }
    return box;
  };

  const section = (id, text, ...children) => {
    const heading = el("h2", { id: `part-${id}`, tabindex: "-1" }, text);
    return el("section", { "aria-labelledby": `part-${id}` }, heading, ...children);
  };

  const figure = (name, covered, goals) => {
    const bar = el("td", { class: "wide" });
    if (goals) {
      const inner = el("span");
      inner.style.width = `${Math.floor((Math.min(covered, goals) * 1000) / goals) / 10}%`;
      bar.append(el("span", { class: "bar", "aria-hidden": "true" }, inner));
    }
    const number = (text) => el("td", { class: "number" }, text);
    return el("tr", {}, el("th", { scope: "row" }, name), number(grouped(covered)), number(grouped(goals)), number(percent(covered, goals)), bar);
  };

  const figures = () => {
    const rows = view.data.criteria.map(([name, covered, goals]) => figure(title(name), covered, goals));
    if (view.knowsKills) {
      const infections = view.goals.filter(isInfection);
      rows.push(figure("Mutants killed", infections.filter(isKilled).length, infections.length));
    }
    const head = ["Criterion", "Covered", "Goals", "Share"].map((text, index) =>
      el("th", { scope: "col", class: index ? "number" : null }, text));
    head.push(el("th", { scope: "col", class: "wide" }, el("span", { class: "visually-hidden" }, "As a bar")));
    const table = el("table", { class: "figures" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
    const columns = el("div", { class: "columns" }, section("coverage", "Coverage", table));
    if (view.data.chart) {
      const time = section("time", "Goals covered over time");
      // Made by the writer of this page, which has escaped it.
      time.insertAdjacentHTML("beforeend", view.data.chart);
      columns.append(time);
    }
    return columns;
  };

  const stateOf = (covered, goals) => {
    if (covered === goals.length) return "good";
    return covered === 0 ? "bad" : "part";
  };

  const shades = () => {
    const known = view.data.criteria.filter(([, , goals]) => goals > 0).map(([name]) => name);
    const ways = known.some(isOfLines) ? [["lines", "Lines and branches", isOfLines]] : [];
    ways.push(["all", "All goals", () => true]);
    for (const name of known) ways.push([name, title(name), (criterion) => criterion === name]);
    if (view.knowsKills) ways.push(["killed", "Mutants killed", (criterion) => criterion === "weak-mutation", isKilled]);
    return ways;
  };

  const sourceLine = (number, text) => {
    const line = el("div", { class: "line", "data-line": number },
      el("span", { class: "no" }, String(number)), el("span", { class: "count" }), el("span", { class: "text" }, text));
    return line;
  };

  const shade = ([, , isShown, isReached = isCovered]) => {
    for (const [number, line] of view.lines) {
      const goals = (view.byLine.get(number) || []).filter((goal) => isShown(goal.criterion));
      const count = line.querySelector(".count");
      if (goals.length) {
        const covered = goals.filter(isReached).length;
        line.dataset.state = stateOf(covered, goals);
        line.tabIndex = -1;
        line.setAttribute("role", "button");
        count.textContent = `${covered}/${goals.length}`;
        const words = { good: "covered", part: "partly covered", bad: "open" }[line.dataset.state];
        line.setAttribute("aria-label", `Line ${number}, ${words}, ${covered} of ${goals.length} goals: ${line.lastChild.textContent.trim()}`);
      } else {
        delete line.dataset.state;
        for (const name of ["tabindex", "role", "aria-label"]) line.removeAttribute(name);
        count.textContent = "";
      }
    }
    const first = view.code.querySelector("[data-state]");
    if (first) first.tabIndex = 0;
  };

  const source = () => {
    const [path, text] = view.data.source;
    view.code = el("div", { class: "code mono", role: "group", "aria-label": `Source of ${view.data.name}` });
    const texts = text === null ? null : text.replace(/\n$/, "").split(/\r?\n/);
    const numbers = texts ? texts.map((_, index) => index + 1) : [...view.byLine.keys()].sort((a, b) => a - b);
    view.lines = new Map(numbers.map((number) => [number, sourceLine(number, texts ? texts[number - 1] : "")]));
    view.code.append(...view.lines.values());
    view.aside = el("aside", { class: "aside", "aria-live": "polite", "aria-label": "Goals of the line" });
    const ways = shades();
    const select = el("select", {}, ...ways.map(([value, name]) => el("option", { value }, name)));
    select.addEventListener("change", () => shade(ways.find(([value]) => value === select.value)));
    const legend = el("p", { class: "legend" }, el("span", {}, "all goals covered"), el("span", { class: "part" }, "some open"), el("span", { class: "bad" }, "all open"));
    const filter = el("div", { class: "filter" }, el("label", {}, "Mark lines by ", select), el("span", { class: "note mono" }, path));
    const parts = [filter, legend];
    if (!texts) parts.push(el("p", { class: "note" }, "The source was not found: these are the lines that have goals. Give covolve report --sources with the folder that holds it."));
    if (!view.data.complete) parts.push(el("p", { class: "note" }, "Only open goals are known one by one here; covered lines have no mark."));
    shade(ways[0]);
    return section("source", "Source", ...parts, el("div", { class: "split" }, view.code, view.aside));
  };

  const openGoals = () => {
    const open = view.goals.filter((goal) => !isCovered(goal));
    if (!open.length) return section("open", "Open goals", el("p", { class: "note" }, view.data.criteria.length ? "None: every goal is covered." : "No goals are known."));
    const criteria = [...new Set(open.map((goal) => goal.criterion))];
    const select = el("select", {}, el("option", { value: "" }, "All criteria"), ...criteria.map((name) =>
      el("option", { value: name }, `${title(name)} (${open.filter((goal) => goal.criterion === name).length})`)));
    const head = ["Line", "Criterion", "Goal", "Why it is open"].map((text, index) =>
      el("th", { scope: "col", class: index ? null : "number" }, text));
    const table = el("table", { class: "open-goals" }, el("thead", {}, el("tr", {}, ...head)));
    const fill = () => {
      table.querySelectorAll("tbody").forEach((body) => body.remove());
      const groups = new Map();
      for (const goal of open.filter(({ criterion }) => !select.value || criterion === select.value)) {
        const [kind, cause] = view.data.reasons[goal.state];
        const key = cause ? `${kind}: ${cause}` : kind;
        if (!groups.has(key)) groups.set(key, []);
        groups.get(key).push(goal);
      }
      const sorted = [...groups].sort((a, b) => b[1].length - a[1].length);
      table.append(...sorted.map(([key, goals]) => groupOf(key, goals.sort((a, b) => a.line - b.line))));
    };
    select.addEventListener("change", fill);
    fill();
    return section("open", "Open goals", el("div", { class: "filter" }, el("label", {}, "Show ", select)), table);
  };

  const groupOf = (key, goals) => {
    const row = (goal) => el("tr", {},
      el("td", { class: "number" }, goal.line ? el("a", { href: address({ line: goal.line }) }, String(goal.line)) : "\u2013"),
      el("td", {}, title(goal.criterion)), el("td", {}, goal.text), el("td", {}, reason(goal)));
    const body = el("tbody", {}, el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: "4" }, `${key} (${goals.length})`)));
    body.append(...goals.slice(0, MOST_ROWS).map(row));
    if (goals.length > MOST_ROWS) {
      const button = el("button", { type: "button" }, `Show ${goals.length - MOST_ROWS} more`);
      const more = el("tr", {}, el("td", { colspan: "4" }, button));
      button.addEventListener("click", () => more.replaceWith(...goals.slice(MOST_ROWS).map(row)));
      body.append(more);
    }
    return body;
  };

  // 3, 4, 5, 9 as 3–5, 9.
  const ranges = (numbers) => {
    const parts = [];
    for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
      const last = parts.at(-1);
      if (last && last[1] === number - 1) last[1] = number;
      else parts.push([number, number]);
    }
    return parts;
  };

  const rangeLinks = (numbers) => {
    const span = el("span");
    ranges(numbers).forEach(([first, last], index) => {
      span.append(index ? ", " : "", el("a", { href: address({ line: first }) }, first === last ? `${first}` : `${first}\u2013${last}`));
    });
    return span;
  };

  const covers = (number) => {
    const goals = view.byTest[number];
    const box = el("div", { class: "covers" });
    if (!goals.length) return el("div", { class: "covers note" }, view.data.complete ? "Covers no goal." : "What it covers is not known here.");
    const alone = goals.filter((goal) => goal.state.length === 1).length;
    const killed = goals.filter((goal) => goal.killers.includes(number));
    const only = killed.filter((goal) => goal.killers.length === 1).length;
    const executed = goals.filter((goal) => goal.criterion === "line").map((goal) => goal.line);
    box.append(el("p", {}, `${counted(goals.length, "goal", "goals")}, ${alone === 0 ? "none" : grouped(alone)} of them covered by no other test.`));
    if (killed.length) box.append(el("p", {}, `${counted(killed.length, "mutant", "mutants")} killed, ${only === 0 ? "none" : grouped(only)} of them by no other test.`));
    if (executed.length) box.append(el("p", {}, "Lines ", rangeLinks(executed)));
    for (const [name] of view.data.criteria) {
      const its = goals.filter((goal) => goal.criterion === name);
      if (!its.length || name === "line") continue;
      const list = el("ul");
      const what = { Covered: "covered", Killed: "mutants killed", Infected: "mutants infected" }[verb(name)];
      const details = el("details", {}, el("summary", {}, `${title(name)}: ${its.length} ${what}`), list);
      details.addEventListener("toggle", () => {
        if (details.open && !list.childElementCount) {
          list.append(...its.map((goal) => el("li", {}, goal.line ? `${goal.line}: ${goal.text}` : goal.text)));
        }
      });
      box.append(details);
    }
    return box;
  };

  // The lines of a test without the indentation that they share.
  const excerpt = (lines, first, last) => {
    const own = lines.slice(first - 1, last);
    const depth = Math.min(...own.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
    return own.map((line) => line.slice(Number.isFinite(depth) ? depth : 0)).join("\n");
  };

  const tests = () => {
    const { data } = view;
    if (!data.file) return section("tests", "Tests", el("p", { class: "note" }, "There is no test file."));
    const [path, text] = data.file;
    view.tests = new Map();
    const list = data.tests.map((test, number) => {
      const [name, first] = test;
      const show = el("a", { href: address({ test: name }), title: "Show what it covers in the source" }, name);
      const place = first ? el("span", { class: "sub" }, `  line ${first}`) : null;
      const box = el("article", { class: "test", tabindex: "-1" }, el("h3", {}, show, place), codeOf(test), covers(number));
      view.tests.set(name, box);
      return box;
    });
    const note = el("p", { class: "note mono" }, text ? path : `${path} is not there any more.`);
    return section("tests", "Tests", note, el("div", { class: "tests" }, ...list));
  };

  // --- what is chosen on the page

  const goTo = (element, block) => {
    element.scrollIntoView({ block, behavior: "instant" });
    element.focus({ preventScroll: true });
  };

  const showLine = (number) => {
    const goals = [...(view.byLine.get(number) || [])].sort((a, b) => isCovered(a) - isCovered(b));
    const open = goals.filter((goal) => !isCovered(goal)).length;
    const method = methodOf(goals);
    view.aside.replaceChildren(
      el("h3", {}, `Line ${number}`),
      el("p", { class: "note" }, method && `${method}, `, goals.length ? `${counted(goals.length, "goal", "goals")}, ${open} open` : "No goals."),
      el("ul", { class: "goals" }, ...goals.map((goal) => goalItem(goal, method))));
    view.lines.get(number)?.setAttribute("aria-current", "true");
  };

  // A test beside the lines that it reaches, which are marked.
  const showTest = (name) => {
    const number = view.data.tests.findIndex(([known]) => known === name);
    if (number < 0) return null;
    const lines = [...new Set(view.byTest[number].map((goal) => goal.line))].filter((line) => view.lines.has(line));
    for (const line of lines) view.lines.get(line).classList.add("by-test");
    view.aside.replaceChildren(
      el("h3", { class: "mono", tabindex: "-1" }, name),
      el("p", { class: "note" }, "The lines that it reaches are marked. ", el("a", { href: address({ test: name, part: "tests" }) }, "Among all tests")),
      codeOf(view.data.tests[number]) || "", covers(number));
    return Math.min(...lines);
  };

  const choose = (parts) => {
    view.code.querySelectorAll("[aria-current]").forEach((line) => line.removeAttribute("aria-current"));
    view.code.querySelectorAll(".by-test").forEach((line) => line.classList.remove("by-test"));
    view.tests?.forEach((box) => box.classList.remove("current"));
    const line = Number(parts.get("line"));
    const test = parts.get("test");
    view.aside.replaceChildren(el("p", { class: "note" },
      "Choose a line to see its goals: what is open there and why, and which tests cover the rest. Choose a test to see the lines that it reaches."));
    if (line) {
      showLine(line);
      const element = view.lines.get(line);
      if (element && document.activeElement !== element) goTo(element, "center");
    } else if (test) {
      const first = showTest(test);
      const box = view.tests?.get(test);
      box?.classList.add("current");
      if (parts.get("part") || !Number.isFinite(first)) {
        if (box) goTo(box, "start");
      } else {
        goTo(view.lines.get(first), "center");
        view.aside.querySelector("h3").focus({ preventScroll: true });
      }
    } else if (parts.get("part")) {
      const part = document.getElementById(`part-${parts.get("part")}`);
      if (part) goTo(part, "start");
    }
  };

  const move = (line, far) => {
    const marked = [...view.code.querySelectorAll("[data-state]")];
    const next = marked[marked.indexOf(line) + far];
    if (next) {
      next.scrollIntoView({ block: "nearest" });
      next.focus({ preventScroll: true });
    }
    return Boolean(next);
  };

  // The next line with open goals, from the one chosen or in focus.
  const nextOpen = (far) => {
    const open = [...view.code.querySelectorAll('[data-state="bad"], [data-state="part"]')];
    const from = document.activeElement?.closest?.(".line") || view.code.querySelector("[aria-current]");
    const at = from ? Number(from.dataset.line) : 0;
    const numbers = open.map((line) => Number(line.dataset.line));
    const next = far > 0 ? numbers.find((number) => number > at) : numbers.findLast((number) => number < at);
    if (next) location.hash = address({ line: next });
  };

  const listen = () => {
    view.code.addEventListener("click", (event) => {
      const line = event.target.closest("[data-state]");
      if (line && !String(getSelection())) location.hash = address({ line: line.dataset.line });
    });
    view.code.addEventListener("keydown", (event) => {
      const line = event.target.closest("[data-state]");
      if (!line) return;
      const far = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (far && move(line, far)) event.preventDefault();
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        location.hash = address({ line: line.dataset.line });
      }
    });
  };

  return {
    // Fills the root with the page of a class.
    render(root, data, module) {
      view = { data, module, testLines: data.file?.[1] ? data.file[1].split(/\r?\n/) : [], ...prepare(data) };
      root.replaceChildren(heading(), figures(), source(), openGoals(), tests());
      listen();
    },
    choose,
    nextOpen,
  };
})();
