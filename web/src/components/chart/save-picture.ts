import { saveFile } from '#web/save-file.ts';

const scale = 2;
/** Properties that style sheets give to a drawing: an image has none. */
const inherited = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
] as const;

/**
 * Saves the chart as a PNG at double size on the background of its card. Rejects if the browser
 * cannot draw it.
 */
export async function savePicture(chart: SVGSVGElement, name: string): Promise<void> {
  const { width, height } = chart.viewBox.baseVal;
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(writeSvg(chart))}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = getComputedStyle(document.documentElement)
    .getPropertyValue('--tr-surface')
    .trim();
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const file = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!file) throw new Error('The browser made no picture.');
  saveFile(`${name}.png`, file);
}

/** The drawing with the styles of the page as attributes. */
function writeSvg(chart: SVGSVGElement): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const drawn = [...chart.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(drawn[index]!);
    for (const name of inherited) element.setAttribute(name, style.getPropertyValue(name));
  }
  return new XMLSerializer().serializeToString(copy);
}
