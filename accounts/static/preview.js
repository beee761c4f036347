// What stands beside a form must not look up to date when it could not be fetched: say so.
const told = (event, failed) => {
  const note = event.target.closest(".preview")?.querySelector(".failed");
  if (note) note.hidden = !failed;
};
document.addEventListener("htmx:beforeRequest", (event) => told(event, false));
for (const trouble of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(trouble, (event) => told(event, true));
}
