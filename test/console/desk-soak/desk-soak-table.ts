/** What `desk-soak` prints. */
import { quantile } from '../../../bench/statistics.ts'
import type { Held } from './desk-growth.ts'
import type { DeskSoak } from './desk-soak-run.ts'

/** Of each kind of fault. */
const SHOWN_MAX = 5

/** Everything as one object of figures, for machines. */
export function deskSoakFigures({ saved, minutes, counts, faults, looks, growths, news }: DeskSoak) {
  const pages = [...looks].map(([desk, own]) => {
    const growth = growths.get(desk)
    return { desk, start: own[0], early: growth?.early, late: growth?.late, end: own.at(-1), looks: own }
  })
  const painted = news.map(({ paintedMs }) => paintedMs)
  const arrived = news.map(({ arrivedMs }) => arrivedMs)
  const of = (values: readonly number[]) => ({
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
    worst: quantile(values, 1),
  })
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
    newsArrivedMs: of(arrived),
    newsPaintedMs: of(painted),
    pages,
  }
}

/** Nothing that must not be. */
export function isSound({ counts, faults }: DeskSoak): boolean {
  return [...Object.values(counts), faults].every(({ length }) => length === 0)
}

/** The same for people. */
export function deskSoakTable(soak: DeskSoak): string[] {
  const { pages, newsArrivedMs, newsPaintedMs, ...counted } = deskSoakFigures(soak)
  const rows = Object.entries(counted).map(([name, value]) => `${name.padEnd(16)} ${Number(value.toFixed(1))}`)
  const mb = (held: Held | undefined) => (held ? (held.bytes / 1e6).toFixed(1) : '–')
  const grown = pages.map(({ desk, start, early, late, end }) =>
    [
      desk.padEnd(8),
      `heap MB ${[start, early, late, end].map(mb).join(' → ')}`,
      `nodes ${start?.nodes} → ${early?.nodes ?? '–'} → ${late?.nodes ?? '–'} → ${end?.nodes}`,
      `listeners ${start?.listeners} → ${early?.listeners ?? '–'} → ${late?.listeners ?? '–'} → ${end?.listeners}`,
    ].join('; '),
  )
  const said = Object.entries({ ...soak.counts, faults: soak.faults }).flatMap(([kind, own]) =>
    own.slice(0, SHOWN_MAX).map((one) => `${kind}: ${one}`),
  )
  const news = (what: string, { p50, p95, worst }: typeof newsPaintedMs) =>
    `${what.padEnd(34)} p50 ${p50} ms, p95 ${p95} ms, worst ${worst} ms`
  return [
    ...rows,
    news('change at the node to its frame', newsArrivedMs),
    news('change at the node to its picture', newsPaintedMs),
    'pages: start → median early → median late → end (–: too few calls to say)',
    ...grown,
    ...said,
  ]
}
