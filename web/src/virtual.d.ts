declare module 'virtual:theme.css';
declare module 'virtual:flags' {
  /** Part of the name of every flag's file. */
  export const version: string;
}
