// Shows times in the operator's own zone, with its name; the server's text, which is in UTC, stays as the title.
(function () {
  "use strict";
  const format = new Intl.DateTimeFormat("sv-SE", { // writes dates as ISO 8601
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
    timeZoneName: "short"
  });
  function local(root) {
    root.querySelectorAll("time[datetime]:not([title])").forEach(function (time) {
      time.title = time.textContent;
      time.textContent = format.format(new Date(time.dateTime));
    });
  }
  local(document);
  // A page that the browser kept aside may be of somebody who has logged out since.
  window.addEventListener("pageshow", function (event) { if (event.persisted) location.reload(); });
  document.addEventListener("htmx:afterSettle", function () { local(document); });
})();
