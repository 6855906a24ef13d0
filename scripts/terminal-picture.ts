/** `npm run generate:demo-picture`: draws docs/pictures/demo.txt, the output of the demo, as docs/pictures/demo.svg. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../docs/pictures')
/** Where the output of the demo is kept as text; pixels of the picture. */
const SOURCE = join(FOLDER, 'demo.txt')
const PICTURE = join(FOLDER, 'demo.svg')
const [CHARACTER_PX, LINE_PX, MARGIN_PX, BAR_PX] = [7.8, 19, 20, 30]

/** A terminal window with these lines, as SVG. It has its own background and is legible on light and dark pages. */
export function terminalPicture(text: string): string {
  const lines = text.trimEnd().split('\n')
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * CHARACTER_PX) + 2 * MARGIN_PX
  const height = lines.length * LINE_PX + 2 * MARGIN_PX + BAR_PX
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    `  width="${width}" height="${height}" role="img">`,
    '  <title>Output of npm run demo -- --simulated</title>',
    '  <style>',
    '    text { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre }',
    '    text { fill: #e6edf3 }',
    '    .good { fill: #3fb950 }',
    '    .command { fill: #79b8ff }',
    '    .bar { fill: #9198a1 }',
    '    .window { fill: #0d1117; stroke: #656c76 }',
    '  </style>',
    `  <rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...[0, 1, 2].map((dot) => `  <circle class="bar" cx="${MARGIN_PX + 4 + dot * 18}" cy="20" r="5"/>`),
    ...lines.flatMap((line, row) => drawnLine(line, MARGIN_PX + BAR_PX + row * LINE_PX + 13)),
    '</svg>',
    '',
  ].join('\n')
}

/** The check mark stands apart: it may come from another font, whose width would move the columns behind it. */
function drawnLine(line: string, y: number): string[] {
  if (line.startsWith('✓')) return [drawn('✓', 0, y, 'good'), ...drawnLine(line.replace('✓', ' '), y)]
  const text = line.trimStart()
  if (text === '') return []
  const kind = text.startsWith('$') ? 'command' : /^(Done|\d+ of \d+ checks held)/.test(text) ? 'good' : undefined
  return [drawn(text, line.length - text.length, y, kind)]
}

function drawn(text: string, column: number, y: number, kind: string | undefined): string {
  const x = MARGIN_PX + column * CHARACTER_PX
  const length = (text.length * CHARACTER_PX).toFixed(1)
  const named = kind === undefined ? '' : ` class="${kind}"`
  const place = `x="${x.toFixed(1)}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"`
  return `  <text${named} ${place}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`
}

if (import.meta.main) writeFileSync(PICTURE, terminalPicture(readFileSync(SOURCE, 'utf8')))
