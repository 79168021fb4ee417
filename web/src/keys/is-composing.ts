/**
 * Whether a pressed key belongs to an input method. In Safari the key that ends a composition comes
 * after its end, with this code.
 */
export const isComposing = ({ isComposing: composes, keyCode }: KeyboardEvent): boolean =>
  composes || keyCode === 229;
