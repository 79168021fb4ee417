/** The attribute of the text whose contrast is checked. */
export const sampleAttribute = 'data-contrast-sample';

/**
 * Runs in the page. Marks one text of each combination of colours, size and background, because
 * checking each cell of a table takes longer than all other rules. Returns nothing: the marks are
 * in the document.
 */
export function markContrastSamples(attribute: string): void {
  const numbers = new Map<string, number>();
  const numberOf = (look: string) => {
    const number = numbers.get(look) ?? numbers.size;
    numbers.set(look, number);
    return number;
  };
  const backgrounds = new Map<Element | null, number>([[null, 0]]);
  const backgroundOf = (element: Element | null): number => {
    const known = backgrounds.get(element);
    if (known !== undefined || element === null) return known ?? 0;
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    // The parent of a positioned element need not be what is behind it; rows of one list are alike.
    const own = /absolute|fixed/.test(position)
      ? `${position} ${element.getAttribute('class')}`
      : '';
    const parent = backgroundOf(element.parentElement);
    const number = numberOf([parent, own, backgroundColor, backgroundImage, opacity].join(' '));
    backgrounds.set(element, number);
    return number;
  };
  const visible = { opacityProperty: true, visibilityProperty: true };
  const texts = [...document.body.querySelectorAll('*')].filter((element) => {
    element.removeAttribute(attribute);
    const hasText = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue!.trim() !== '',
    );
    return hasText && element.checkVisibility(visible);
  });
  const byLook = Map.groupBy(texts, (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    return [backgroundOf(element), color, fontSize, fontWeight, textShadow].join(' ');
  });
  for (const [first] of byLook.values()) first!.setAttribute(attribute, '');
}
