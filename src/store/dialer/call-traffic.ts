import type { CallTraffic } from '../../ports/flows/flow-traffic.ts'

/** One call as the fold adds it: a row for each count, with the columns of the sums. */
export function countsOf({ flow, revision, atMs, outcome, marks, ends, canary }: CallTraffic) {
  const counts = [
    row('call', '', '', 1),
    row('outcome', outcome, '', 1),
    ...marks.map((mark) => row('mark', mark, '', 1)),
    ...Object.entries(ends).flatMap(([step, ended]) => {
      const times = Object.values(ended).reduce((sum, count) => sum + count, 0)
      return [
        row('step', step, '', times),
        ...Object.entries(ended).map(([end, count]) => row('end', step, end, count)),
      ]
    }),
  ]
  const trial = canary && {
    id: canary.id,
    is_new: canary.isNew,
    counts: canary.steps.flatMap(({ step, risks }) => ['calls', ...risks].map((what) => ({ step, what }))),
  }
  return { flow, revision, at_ms: atMs, counts, canary: trial }
}

function row(what: string, name: string, ended: string, times: number) {
  return { what, name, ended, times }
}
