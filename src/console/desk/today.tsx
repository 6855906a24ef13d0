import { Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../session/ask.ts'
import { useSession } from '../session/use-session.ts'
import { useTexts } from '../texts/language.tsx'
import css from './desk.module.css'
import { DESK_TEXTS } from './desk-texts.ts'
import { durationText } from './duration-text.ts'
import { daysLater, instantOf, wallAt } from './zone-time.ts'

/** The most that an agent gets in one answer. */
const CALLS_MAX = 100
/** Our choice: four times a long day. */
const PAGES_MAX = 5

/** A call is over before it is in the records: in seconds, and after an outage of the database in minutes. */
const JUST_ENDED_MS = 30_000
const SOON_MS = 5_000
const LATER_MS = 60_000

/** What this agent has done since midnight of this browser; `nowMs` is the server's time. */
export function Today({ nowMs, zone }: { readonly nowMs: number; readonly zone: string }) {
  const texts = useTexts(DESK_TEXTS)
  const { userId } = useSession()
  // Shown anew after each call.
  const [shownAtMs] = useState(nowMs)
  const wall = daysLater(wallAt(nowMs, zone), 0)
  const sinceTs = new Date(instantOf(Object.assign(wall, { hour: 0, minute: 0 }), zone)).toISOString()
  const { data } = useQuery({
    queryKey: ['today', userId, sinceTs],
    staleTime: 0,
    refetchInterval: nowMs < shownAtMs + JUST_ENDED_MS ? SOON_MS : LATER_MS,
    queryFn: async () => {
      const query = { userId: userId ?? 0, sinceTs, minTalkSeconds: 1, limit: CALLS_MAX }
      const pages = [await ask('GET /svcems/calls', { query })]
      const after = () => pages.at(-1)?.next ?? undefined
      while (after() !== undefined && pages.length < PAGES_MAX) {
        pages.push(await ask('GET /svcems/calls', { query: Object.assign({}, query, { after: after() }) }))
      }
      const calls = pages.flatMap((page) => page.calls)
      const talkedMs = calls.reduce((sum, { talkSeconds }) => sum + talkSeconds * 1_000, 0)
      const saved = calls.filter(({ feedback }) => feedback.length > 0).length
      const orMore = after() === undefined ? '' : '+'
      return { talks: `${calls.length}${orMore}`, talked: durationText(talkedMs) + orMore, saved: `${saved}${orMore}` }
    },
  })
  const facts = [
    { term: texts.talks, fact: data?.talks },
    { term: texts.talkTime, fact: data?.talked },
    { term: texts.saved, fact: data?.saved },
  ]
  return (
    <Paper component="section" withBorder className={css.card} aria-label={texts.today}>
      <h2 className={css.heading}>{texts.today}</h2>
      <dl className={css.figures}>
        {facts.map(({ term, fact }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact ?? texts.notKnown}</dd>
          </div>
        ))}
      </dl>
    </Paper>
  )
}
