// Where nobody has named a time zone yet the browser's is filled in, and the help below says so.
const form = document.querySelector("form[data-zone-of]");
const field = form && document.getElementById(form.dataset.zoneOf);
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const known = field && [...field.list.options].some((option) => option.value === zone);
if (known && zone !== field.value) {
  const clock = new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  field.value = zone;
  document.getElementById(`${field.id}_helptext`).textContent =
    `Taken from your browser, where it is ${clock} now: change it if that is wrong.`;
}
