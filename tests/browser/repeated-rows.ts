/** The attribute of rows that are built like two others. */
export const repeatedAttribute = 'data-repeated-row';

/**
 * Runs in the page. Marks rows of tables and items of lists after the second of those with the same
 * elements and attributes in the same list: they differ in texts only. A row with a sample of a
 * contrast, in an element with the attribute `keep`, is not marked.
 */
export function markRepeatedRows({ attribute, keep }: { attribute: string; keep: string }): void {
  const shapeOf = (element: Element): string =>
    [element.tagName, element.getAttribute('role'), ...element.getAttributeNames()].join(' ');
  const counts = new Map<Element | null, Map<string, number>>();
  for (const row of document.body.querySelectorAll('tr, li, [role=row], [role=option]')) {
    row.removeAttribute(attribute);
    if (row.querySelector(`[${keep}]`) || row.matches(`[${keep}]`)) continue;
    const shape = [row, ...row.querySelectorAll('*')].map(shapeOf).join();
    const ofList = counts.get(row.parentElement) ?? new Map<string, number>();
    counts.set(row.parentElement, ofList);
    const count = ofList.get(shape) ?? 0;
    ofList.set(shape, count + 1);
    if (count >= 2) row.setAttribute(attribute, '');
  }
}
