import { nameOtherDevice } from '#domain/base/ports.ts';

/** At most `most` characters, cut at a word boundary. */
export function shorten(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

export function quote(text: string): string {
  return `“${shorten(text, 100)}”`;
}

/** `1 position`, `3 positions`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Says that an unknown traffic is unknown. */
export function formatTraffic(traffic: number | null): string {
  return traffic === null
    ? 'The phrase has no traffic score yet.'
    : `The traffic score of the phrase is ${traffic} of 100.`;
}

/** `US`, or `US, iPad`: the first device of a store goes without saying. */
export function formatCountryAndDevice({
  country,
  device,
}: {
  country: string;
  device: string;
}): string {
  const name = nameOtherDevice(device);
  return name === null ? formatCountry(country) : `${formatCountry(country)}, ${name}`;
}

/** `us` and `de`: upper-case country codes. */
export function formatCountry(country: string): string {
  return country.toUpperCase();
}
