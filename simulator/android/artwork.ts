export const imageHost = 'play-lh.googleusercontent.com';

/** Without a size, as in responses of the store. */
export const imageAddress = (name: string): string => `https://${imageHost}/${name}`;
