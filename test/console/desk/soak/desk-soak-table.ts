/** What `desk-soak` prints. */
import { quantile } from '../../../../bench/statistics.ts'
import type { Held } from '../../../support/page-memory.ts'
import type { DeskSoak } from './desk-soak-run.ts'

/** Of each kind of fault. */
const SHOWN_MAX = 5

const nodesOf = ({ nodes }: Held) => String(nodes)
const listenersOf = ({ listeners }: Held) => String(listeners)

/** Everything as one object of figures, for machines. */
export function deskSoakFigures({ saved, minutes, counts, faults, looks, growths, news }: DeskSoak) {
  const pages = [...looks].map(([desk, own]) => {
    const growth = growths.get(desk)
    return { desk, start: own[0], early: growth?.early, late: growth?.late, end: own.at(-1), looks: own }
  })
  const of = (values: readonly number[]) => ({
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
    worst: quantile(values, 1),
  })
  const told = [...Map.groupBy(news, ({ state }) => state), ['all', news] as const].map(([becomes, own]) => ({
    becomes,
    times: own.length,
    arrivedMs: of(own.map(({ arrivedMs }) => arrivedMs)),
    paintedMs: of(own.map(({ paintedMs }) => paintedMs)),
  }))
  return {
    saved,
    minutes,
    lost: counts.lost.length,
    doubled: counts.doubled.length,
    popupsWrong: counts.popupsWrong.length,
    popupsDoubled: counts.popupsDoubled.length,
    outcomesLost: counts.outcomesLost.length,
    outcomesWrong: counts.outcomesWrong.length,
    faults: faults.length,
    news: told,
    pages,
  }
}

/** Nothing that must not be. */
export function isSound({ counts, faults }: DeskSoak): boolean {
  return [...Object.values(counts), faults].every(({ length }) => length === 0)
}

/** The same for people. */
export function deskSoakTable(soak: DeskSoak): string[] {
  const { pages, news, ...counted } = deskSoakFigures(soak)
  const rows = Object.entries(counted).map(([name, value]) => `${name.padEnd(16)} ${Number(value.toFixed(1))}`)
  const grown = pages.map(({ desk, start, early, late, end }) => {
    const way = (show: (held: Held) => string) =>
      [start, early, late, end].map((held) => (held ? show(held) : '–')).join(' → ')
    const heap = way(({ bytes }) => (bytes / 1e6).toFixed(1))
    return `${desk.padEnd(8)} heap MB ${heap}; nodes ${way(nodesOf)}; listeners ${way(listenersOf)}`
  })
  const said = Object.entries({ ...soak.counts, faults: soak.faults }).flatMap(([kind, own]) =>
    own.slice(0, SHOWN_MAX).map((one) => `${kind}: ${one}`),
  )
  const told = news.map(({ becomes, times, arrivedMs, paintedMs }) => {
    const [frame, picture] = [arrivedMs, paintedMs].map(({ p50, p95, worst }) => `${p50} / ${p95} / ${worst}`)
    return `${becomes.padEnd(8)} ${times} times; its frame after ${frame}; its picture after ${picture}`
  })
  return [
    ...rows,
    'news of the agent: ms after the change at the node, p50 / p95 / worst, with collections of garbage',
    ...told,
    'pages: start → median early → median late → end (–: too few calls to say)',
    ...grown,
    ...said,
  ]
}
