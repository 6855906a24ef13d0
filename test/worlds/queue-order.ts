/** First come, first served: the order of ringing, judged from the outside by the order of the journal. */
import type { CallId } from '../../src/kernel/ids.ts'
import type { JournalLine } from '../../src/ports/journal.ts'
import type { World } from './world.ts'

interface Waiting {
  readonly team: string
  readonly priority: number
  readonly ticket: number
}

/**
 * Whenever a phone rings for a caller, nobody of the same team waits who came before (within equal priority) or has
 * a higher one. A caller whose agent did not come to the phone keeps their place.
 */
export function queueFaults({ lines, staff }: World): string[] {
  const faults: string[] = []
  const waiting = new Map<CallId, Waiting>()
  const offered = new Map<CallId, Waiting>()
  let tickets = 0
  for (const [at, line] of lines.entries()) {
    const { call, what } = line
    switch (what.type) {
      case 'joinQueue':
        if (isRefused(lines, at)) break
        waiting.set(call, { team: String(what['team']), priority: Number(what['priority']), ticket: tickets++ })
        break
      case 'ringAgent': {
        const served = waiting.get(call)
        const agent = String(what['agent'])
        if (!served) {
          faults.push(`${agent} was rung for ${call}, who does not wait`)
          break
        }
        if (!staff.teams.get(served.team as never)?.agents.includes(agent as never)) {
          faults.push(`${agent} was rung for ${served.team}`)
        }
        const passedOver = [...waiting].find(([, other]) => other.team === served.team && isBefore(other, served))
        if (passedOver) faults.push(`${call} was served before ${passedOver[0]}`)
        waiting.delete(call)
        offered.set(call, served)
        break
      }
      case 'offerRefused':
        if (offered.has(call)) waiting.set(call, offered.get(call)!)
        break
      case 'leaveQueue':
      case 'agent.connected':
      case 'endCall':
        waiting.delete(call)
        offered.delete(call)
    }
  }
  return faults
}

const SETTLES = ['queue.refused', 'ringAgent', 'leaveQueue', 'endCall', 'joinQueue']

/** `full` and `closed` are told a moment after joining; until then nobody may take such a caller for a waiting one. */
function isRefused(lines: readonly JournalLine[], joinedAt: number): boolean {
  const { call } = lines[joinedAt]!
  const next = lines.slice(joinedAt + 1).find((line) => line.call === call && SETTLES.includes(line.what.type))
  return next?.what.type === 'queue.refused'
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.ticket < b.ticket)
}
