/** A flow as a picture: SVG, which every browser shows. `dagre` places the boxes; the signs are those of `diagram`. */
import { Graph, layout } from '@dagrejs/dagre'
import { allEdgesOf, type Edge } from '../model/edges.ts'
import type { Flow, Step, StepKindName } from '../model/flow.ts'
import { labelOf } from './diagram.ts'

/** Longer labels are cut; the whole text is the tooltip of the arrow. */
const LABEL_MAX = 34
const [BOX_HEIGHT, LETTER, SMALL_LETTER, MARGIN, TITLE_HEIGHT] = [46, 7.8, 6.6, 24, 48]

/** Where a bend begins: this share of the way to its corner. */
const NEAR = 0.85

/** What a box is about: speaking, asking, another system, a person, the end. Black on these is readable. */
const COLOURS: Readonly<Record<StepKindName, string>> = {
  play: '#e8f1fb',
  gather: '#d7ecd9',
  menu: '#d7ecd9',
  record: '#d7ecd9',
  http: '#f3e8fb',
  sms: '#f3e8fb',
  wait: '#f3e8fb',
  doNotCall: '#f3e8fb',
  set: '#f1f1ef',
  subflow: '#f1f1ef',
  branch: '#f1f1ef',
  queue: '#fdeccb',
  transfer: '#fdeccb',
  hangup: '#e3e3e0',
}

const STYLE = [
  'text { font: 13px ui-sans-serif, system-ui, "Segoe UI", Arial, sans-serif; fill: #1d1d1b; }',
  '.kind, .label { font-size: 11px; } .kind { fill: #55554f; } .title { font-size: 18px; font-weight: 600; }',
  '.name { font-weight: 600; } .box { stroke: #6b6b64; } .arrow { fill: none; stroke: #55554f; }',
  '.failure { stroke: #b3261e; stroke-dasharray: 5 4; } .label { paint-order: stroke; stroke: #fff; stroke-width: 4; }',
  '.of-failure { fill: #8c1d18; }',
].join(' ')

interface Point {
  readonly x: number
  readonly y: number
}

/** Sizes for the layout, which adds the places. */
interface Box {
  readonly width: number
  readonly height: number
  x?: number
  y?: number
}

interface Arrow extends Box {
  readonly edge: Edge
  readonly text: string
  readonly labelpos: 'c'
  points?: readonly Point[]
}

/** The lines of one SVG image. Solid arrows: the step is done; dashed red ones: a failure. */
export function flowPicture(flow: Flow): string[] {
  const steps = [...flow.steps.values()]
  const boxes = new Map(steps.map((step) => [step.name, boxOf(step)]))
  const arrows = steps.flatMap((step) => allEdgesOf(step, flow).map((edge) => arrowOf(edge, step)))
  const { width, height } = place(boxes, arrows)
  const [wide, high] = [Math.max(width, flow.title.length * 10) + 2 * MARGIN, height + TITLE_HEIGHT + 2 * MARGIN]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(wide)} ${round(high)}" width="${round(wide)}" ` +
      `height="${round(high)}" role="img" aria-label="${escaped(flow.title)}">`,
    `<style>${STYLE}</style>`,
    '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">' +
      '<path d="M0 0 8 4 0 8Z" fill="context-stroke"/></marker></defs>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text class="title" x="${MARGIN}" y="${MARGIN + 16}">${escaped(flow.title)}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})">`,
    ...arrows.map(arrowLine),
    ...steps.map((step) => boxLine(step, boxes.get(step.name)!, step.name === flow.start)),
    // Above the boxes: an arrow may pass one closely.
    ...arrows.filter(({ text }) => text !== '').map(labelLine),
    '</g>',
    '</svg>',
  ]
}

function boxOf({ name, kind }: Step): Box {
  return { width: Math.max(name.length * LETTER, kind.length * SMALL_LETTER) + 28, height: BOX_HEIGHT }
}

function arrowOf(edge: Edge, step: Step): Arrow {
  const text = edge.way === 'done' ? '' : labelOf(edge, step)
  const width = Math.min(text.length, LABEL_MAX) * SMALL_LETTER
  return { edge, text, width, height: text === '' ? 0 : 16, labelpos: 'c' }
}

function place(boxes: ReadonlyMap<string, Box>, arrows: readonly Arrow[]): { width: number; height: number } {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 44 })
  for (const [name, box] of boxes) graph.setNode(name, box)
  for (const [index, arrow] of arrows.entries()) graph.setEdge(arrow.edge.from, arrow.edge.to, arrow, String(index))
  layout(graph)
  return graph.graph() as { width: number; height: number }
}

function boxLine({ name, kind }: Step, { x = 0, y = 0, width = 0, height = 0 }: Box, isStart: boolean): string {
  const radius = kind === 'hangup' ? height / 2 : kind === 'branch' ? 0 : 6
  const [left, top] = [round(x - width / 2), round(y - height / 2)]
  return (
    `<rect class="box" x="${left}" y="${top}" width="${round(width)}" height="${height}" rx="${radius}" ` +
    `fill="${COLOURS[kind]}" stroke-width="${isStart ? 3 : 1}"/>` +
    `<text class="name" x="${round(x)}" y="${round(y - 2)}" text-anchor="middle">${escaped(name)}</text>` +
    `<text class="kind" x="${round(x)}" y="${round(y + 14)}" text-anchor="middle">${kind}</text>`
  )
}

function arrowLine({ points = [], edge, text }: Arrow): string {
  const way = points.map((point, index) => curveTo(point, points[index - 1], points[index + 1])).join('')
  const failure = edge.way === 'failure' ? ' failure' : ''
  return `<path class="arrow${failure}" d="${way}" marker-end="url(#end)"><title>${escaped(text)}</title></path>`
}

/** Straight at its ends, and round where it bends. */
function curveTo(point: Point, before: Point | undefined, after: Point | undefined): string {
  const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`
  if (!before) return `M${at(point)}`
  return after ? `L${at(between(before, point))}Q${at(point)} ${at(between(after, point))}` : `L${at(point)}`
}

/** On the way from `from` to `to`, near its end. */
function between(from: Point, to: Point): Point {
  return { x: from.x + (to.x - from.x) * NEAR, y: from.y + (to.y - from.y) * NEAR }
}

function labelLine({ x = 0, y = 0, text, edge }: Arrow): string {
  const shown = text.length > LABEL_MAX ? `${text.slice(0, LABEL_MAX - 1)}…` : text
  const failure = edge.way === 'failure' ? ' of-failure' : ''
  const at = `x="${round(x)}" y="${round(y + 4)}"`
  return `<text class="label${failure}" ${at} text-anchor="middle">${escaped(shown)}</text>`
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
