export type StoreName = 'ios' | 'android';
