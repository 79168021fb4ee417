export const storeNames = ['ios', 'android'] as const;
export type StoreName = (typeof storeNames)[number];
