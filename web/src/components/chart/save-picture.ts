import type { EChartsType } from './echarts.ts';
import { saveFile } from '#web/save-file.ts';

const scale = 2;

/**
 * Saves the chart as a PNG at double size on the background of its card. Rejects if the browser
 * cannot draw it.
 */
export async function savePicture(
  chart: EChartsType,
  name: string,
  background: string,
): Promise<void> {
  const picture = new Image();
  picture.src = chart.getDataURL({ type: 'svg', backgroundColor: background });
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = chart.getWidth() * scale;
  canvas.height = chart.getHeight() * scale;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = background;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const file = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!file) throw new Error('The browser made no picture.');
  saveFile(`${name}.png`, file);
}
