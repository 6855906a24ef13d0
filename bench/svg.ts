/** Line charts as SVG text: axes, ticks, lines, names. No more than our reports need. */

/** One line of a chart. */
interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  /** Dashes tell lines apart that share a colour. */
  readonly isDashed?: boolean
}

/** What is to be drawn. Ticks are the values at which a number stands. */
interface Chart {
  readonly title: string
  readonly xName: string
  readonly yName: string
  readonly xTicks: readonly (readonly [value: number, text: string])[]
  readonly yTicks: readonly number[]
  readonly isLogX?: boolean
  readonly lines: readonly Line[]
  /** A level to be seen, such as a cap. */
  readonly level?: number
}

const [WIDTH, HEIGHT] = [960, 520]
const AREA = { left: 70, right: 660, top: 50, bottom: 460 }
/** The palette of Okabe and Ito: told apart by eyes that miss a colour. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

/** The chart as a file's text. Values beyond the outer ticks are drawn at the edge. */
export function chartSvg(chart: Chart): string {
  const { title, lines, level } = chart
  const [x, y] = [scaleX(chart), scaleY(chart)]
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    `<title>${safe(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(AREA.left, 28, title, 'font-size="17" font-weight="bold"'),
    ...axes(chart, x, y),
    ...(level === undefined ? [] : [path(`M${AREA.left} ${y(level)}H${AREA.right}`, '#999999', '2 3')]),
    ...lines.flatMap((line, index) => lineParts(line, index, x, y)),
    '</svg>',
  ]
  return `${parts.join('\n')}\n`
}

type Scale = (value: number) => number

function scaleX({ xTicks, isLogX = false }: Chart): Scale {
  const of = (value: number) => (isLogX ? Math.log(value) : value)
  const [from, to] = [of(xTicks[0]![0]), of(xTicks.at(-1)![0])]
  return (value) => rounded(AREA.left + ((of(value) - from) / (to - from)) * (AREA.right - AREA.left))
}

function scaleY({ yTicks }: Chart): Scale {
  const [from, to] = [yTicks[0]!, yTicks.at(-1)!]
  return (value) => {
    const share = Math.min(1, Math.max(0, (value - from) / (to - from)))
    return rounded(AREA.bottom - share * (AREA.bottom - AREA.top))
  }
}

function axes({ xTicks, yTicks, xName, yName }: Chart, x: Scale, y: Scale): string[] {
  return [
    ...yTicks.flatMap((tick) => [
      path(`M${AREA.left} ${y(tick)}H${AREA.right}`, '#e0e0e0'),
      text(AREA.left - 8, y(tick) + 4, String(tick), 'text-anchor="end"'),
    ]),
    ...xTicks.flatMap(([value, name]) => [
      path(`M${x(value)} ${AREA.bottom}v6`, '#333333'),
      text(x(value), AREA.bottom + 22, name, 'text-anchor="middle"'),
    ]),
    path(`M${AREA.left} ${AREA.top}V${AREA.bottom}H${AREA.right}`, '#333333'),
    text((AREA.left + AREA.right) / 2, HEIGHT - 12, xName, 'text-anchor="middle"'),
    text(14, (AREA.top + AREA.bottom) / 2, yName, `transform="rotate(-90 14 ${(AREA.top + AREA.bottom) / 2})"`),
  ]
}

function lineParts({ name, points, isDashed = false }: Line, index: number, x: Scale, y: Scale): string[] {
  const colour = COLOURS[index % COLOURS.length]!
  const dashes = isDashed || index >= COLOURS.length ? '7 4' : undefined
  const place = AREA.top + 10 + index * 22
  const track = points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${x(px)} ${y(py)}`).join('')
  return [
    path(track, colour, dashes, 2),
    path(`M${AREA.right + 20} ${place}h30`, colour, dashes, 2),
    text(AREA.right + 58, place + 4, name),
  ]
}

function path(track: string, colour: string, dashes?: string, width = 1): string {
  const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`
  return `<path d="${track}" fill="none" stroke="${colour}" stroke-width="${width}"${dashed}/>`
}

function text(x: number, y: number, words: string, more = ''): string {
  return `<text x="${x}" y="${y}"${more && ` ${more}`}>${safe(words)}</text>`
}

function safe(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
