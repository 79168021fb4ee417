declare module 'virtual:theme.css';
declare module 'virtual:flags' {
  /** Part of the name of every flag's file. */
  export const version: string;
  /** Addresses that contain the picture, by code. */
  export const frequentFlags: Readonly<Record<string, string>>;
}
