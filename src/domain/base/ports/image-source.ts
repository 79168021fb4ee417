import type { ImageKind, ImageType, StoreName } from '#stores/profiles.ts';

export interface StoreImage {
  type: ImageType;
  /** In pixels. */
  width: number;
  height: number;
  bytes: Buffer;
}

/** The image servers of the stores. */
export interface ImageSource {
  /**
   * Fetches a picture in the size of its kind. `identity` is that of `imageIdentityOf`. Throws
   * StoreError when there is none, or when the bytes are no PNG, JPEG or WebP within the limits.
   */
  read(
    picture: { store: StoreName; kind: ImageKind; identity: string },
    signal: AbortSignal,
  ): Promise<StoreImage>;
}
