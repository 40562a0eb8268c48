// Shows moments in the reader's own time, written as ISO 8601 has it; what the server wrote stays as the title.
(function () {
  "use strict";
  const format = new Intl.DateTimeFormat("sv-SE", {dateStyle: "short", timeStyle: "medium"});
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
