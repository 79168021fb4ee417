/** The bytes in base64. */
export function readBase64(piece: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () =>
      resolve((reader.result as string).replace(/^[^,]*,/, '')),
    );
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable file')));
    reader.readAsDataURL(piece);
  });
}
