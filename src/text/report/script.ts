/**
 * The only script of the page: the filter of the events, which stays hidden where scripts do not
 * run. It reads the text that is there and writes numbers; the page's policy admits this script by
 * its digest and no other.
 */
export const SCRIPT = `
(() => {
  const bar = document.getElementById('filter');
  const word = document.getElementById('filter-word');
  const type = document.getElementById('filter-type');
  const count = document.getElementById('filter-count');
  const rows = [...document.querySelectorAll('#events tbody tr')];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const apply = () => {
    const wanted = word.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, index) => {
      const fits = (type.value === '' || row.dataset.type === type.value) && texts[index].includes(wanted);
      row.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = shown + ' of ' + rows.length;
  };
  word.addEventListener('input', apply);
  type.addEventListener('change', apply);
  bar.hidden = false;
  apply();
})();
`;
