export const imageHost = 'is1-ssl.mzstatic.com';

/** `end` names size and format: `512x512bb.jpg`. */
export const imageAddress = (name: string, end: string): string =>
  `https://${imageHost}/image/thumb/${name}/${end}`;
