// A form sent twice by a double click brings two mails: send it once.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const now = Date.now();
  if (now - (form.dataset.sent || 0) < 3000) event.preventDefault();
  else form.dataset.sent = now;
});
