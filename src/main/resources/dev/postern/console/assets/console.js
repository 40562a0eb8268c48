// Shows moments in the reader's own time; what the server wrote stays as the title.
(function () {
  "use strict";
  const format = new Intl.DateTimeFormat(undefined, {dateStyle: "short", timeStyle: "medium"});
  function local(root) {
    root.querySelectorAll("time[datetime]:not([title])").forEach(function (time) {
      time.title = time.textContent;
      time.textContent = format.format(new Date(time.dateTime));
    });
  }
  local(document);
  document.addEventListener("htmx:afterSettle", function () { local(document); });
})();
