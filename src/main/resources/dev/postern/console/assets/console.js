// What a browser with scripts adds to the pages, which work without it: ages that stay true, the operator's own zone, buttons
// that copy, and keys.
(function () {
  "use strict";
  const zoned = new Intl.DateTimeFormat("sv-SE", { // writes dates as ISO 8601
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
    timeZoneName: "short"
  });
  const UNITS = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];

  // The age of a time in words, as the server writes it; null for one that is more than 30 days away.
  function age(time) {
    const seconds = Math.trunc((Date.now() - time) / 1000), distance = Math.abs(seconds);
    if (distance < 5) { return "just now"; }
    if (distance > 30 * 86400) { return null; }
    const unit = UNITS.find(function (each) { return distance >= each[0]; });
    const count = Math.trunc(distance / unit[0]) + " " + unit[1];
    return seconds < 0 ? "in " + count : count + " ago";
  }

  function writeTimes() {
    document.querySelectorAll("time[datetime]").forEach(function (time) {
      const at = new Date(time.dateTime), local = zoned.format(at);
      if (!time.dataset.utc) { time.dataset.utc = time.title || time.textContent; }
      time.title = local + " (" + time.dataset.utc + ")";
      const text = time.classList.contains("exact") ? local : age(at) || local.slice(0, 10);
      if (time.textContent !== text) { time.textContent = text; }
    });
  }

  function copyText(text) {
    if (navigator.clipboard) { return navigator.clipboard.writeText(text); }
    const field = document.createElement("textarea"); // a page over plain HTTP has no clipboard
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("not allowed"));
  }

  function showButtons() {
    document.querySelectorAll("button.copy[hidden], #show-keys[hidden]").forEach(function (each) { each.hidden = false; });
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest("button.copy");
    if (button) {
      button.dataset.name = button.dataset.name || button.getAttribute("aria-label");
      const say = function (text, label) { button.textContent = text; button.setAttribute("aria-label", label); };
      copyText(decodeURIComponent(button.dataset.copy.replace(/\+/g, " "))).then(
        function () { say("Copied", "Copied"); }, function () { say("Not allowed", "Not allowed"); });
      setTimeout(say, 2000, "Copy", button.dataset.name);
    }
  });

  const keys = document.getElementById("keys"), OFF = "postern.keys-off";
  function areOff() { return localStorage.getItem(OFF) !== null; }
  function writeSwitch() { document.getElementById("switch-keys").textContent = areOff() ? "Turn on" : "Turn off"; }

  // Moves the focus to the first link of the next (1) or previous (-1) row of the page's lists.
  function move(by) {
    const rows = Array.from(document.querySelectorAll("main tbody tr")).filter(function (row) { return row.querySelector("a[href]"); });
    const here = rows.findIndex(function (row) { return row.contains(document.activeElement); });
    const next = rows[here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by];
    if (next) { next.querySelector("a[href]").focus(); }
  }

  if (keys) {
    document.getElementById("show-keys").addEventListener("click", function () { keys.showModal(); });
    document.getElementById("switch-keys").addEventListener("click", function () {
      if (areOff()) { localStorage.removeItem(OFF); } else { localStorage.setItem(OFF, ""); }
      writeSwitch();
    });
    writeSwitch();
    document.addEventListener("keydown", function (event) {
      const typing = event.target.closest && event.target.closest("input, select, textarea");
      if (typing || keys.open || areOff() || event.ctrlKey || event.metaKey || event.altKey) { return; }
      const field = document.querySelector("form.filter :is(input, select)");
      if (event.key === "?") { keys.showModal(); }
      else if (event.key === "j") { move(1); }
      else if (event.key === "k") { move(-1); }
      else if (event.key === "/" && field) { field.focus(); }
      else { return; }
      event.preventDefault();
    });
  }

  // The address of the first link in the row of an element, which tells the row from others.
  function rowOf(element) {
    const row = element.closest("tr"), link = row && row.querySelector("a[href]");
    return link && link.getAttribute("href");
  }

  // A list is not renewed as long as lines of it are chosen, also while the renewal was under way.
  function keepChosen(event) {
    if (event.target.querySelector("input[type=checkbox]:checked")) { event.preventDefault(); }
  }

  // An update replaces the focused link, so the link with the same address in the same row takes the focus. Tables stay scrolled.
  let focused = null, scrolled = [];
  document.addEventListener("htmx:beforeRequest", keepChosen);
  document.addEventListener("htmx:beforeSwap", function (event) {
    keepChosen(event);
    const active = document.activeElement, address = event.target.contains(active) && active.getAttribute("href");
    focused = address ? {address: address, row: rowOf(active)} : null;
    scrolled = Array.from(event.target.querySelectorAll(".wide[id]"), function (each) { return [each.id, each.scrollLeft]; });
  });
  document.addEventListener("htmx:afterSettle", function () {
    writeTimes();
    showButtons();
    scrolled.forEach(function (each) {
      const table = document.getElementById(each[0]);
      if (table) { table.scrollLeft = each[1]; }
    });
    const links = focused ? Array.from(document.querySelectorAll('main a[href="' + CSS.escape(focused.address) + '"]')) : [];
    const link = links.find(function (each) { return rowOf(each) === focused.row; }) || links[0];
    if (link) { link.focus(); }
  });
  // A page that the browser kept aside may be of somebody who has logged out since.
  window.addEventListener("pageshow", function (event) { if (event.persisted) location.reload(); });
  setInterval(writeTimes, 5000);
  writeTimes();
  showButtons();
})();
