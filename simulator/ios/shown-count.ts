interface CountForm {
  decimal: string;
  group: string;
  /** The largest first, with the space before it. */
  units: readonly (readonly [size: number, unit: string])[];
}

/** By the language of the storefront. Spaces do not break lines. */
const forms: Readonly<Record<string, CountForm>> = {
  en: {
    decimal: '.',
    group: ',',
    units: [
      [1e6, 'M'],
      [1e3, 'K'],
    ],
  },
  de: { decimal: ',', group: '.', units: [[1e6, '\u00a0Mio.']] },
  fr: {
    decimal: ',',
    group: '\u202f',
    units: [
      [1e6, '\u00a0M'],
      [1e3, '\u00a0k'],
    ],
  },
  es: {
    decimal: ',',
    group: '.',
    units: [
      [1e6, '\u00a0M'],
      [1e3, '\u00a0mil'],
    ],
  },
  pt: {
    decimal: ',',
    group: '.',
    units: [
      [1e6, '\u00a0mi'],
      [1e3, '\u00a0mil'],
    ],
  },
  it: { decimal: ',', group: '.', units: [[1e6, '\u00a0Mln']] },
  ja: { decimal: '.', group: ',', units: [[1e4, '万']] },
};

/** A count as a page shows it to people: `4.9K`, `12.345`, `5,2 Mio.`, `1.2万`. */
export function showCount(count: number, language: string): string {
  const { decimal, group, units } = forms[language]!;
  const [size, unit] = units.find(([least]) => count >= least) ?? [1, ''];
  if (size === 1) return String(count).replace(/\B(?=(\d{3})+$)/g, group);
  const short = String(Math.round((count / size) * 10) / 10);
  return `${short.replace('.', decimal)}${unit}`;
}
