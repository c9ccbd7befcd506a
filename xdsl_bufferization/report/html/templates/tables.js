// Sorts a table by the column whose header is clicked, first up, then down.
for (const header of document.querySelectorAll("thead th")) {
  const button = document.createElement("button");
  button.append(...header.childNodes);
  header.append(button);
  button.addEventListener("click", () => {
    const sign = header.ariaSort === "ascending" ? -1 : 1;
    const text = row => row.cells[header.cellIndex].textContent.trim().replaceAll(",", "");
    const body = header.closest("table").tBodies[0];
    const rows = [...body.rows].sort((a, b) =>
      sign * text(a).localeCompare(text(b), "en", { numeric: true }));
    for (const other of header.parentNode.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    body.append(...rows);
  });
}
// Shows only the rows and the reasons that have the text.
const search = document.createElement("input");
search.type = "search";
search.placeholder = "Search";
search.ariaLabel = "Search in tables and reasons";
document.querySelector("header").append(search);
search.addEventListener("input", () => {
  for (const part of document.querySelectorAll("main tbody tr, article"))
    part.hidden = !part.textContent.toLowerCase().includes(search.value.toLowerCase());
});
