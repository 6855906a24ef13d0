/** Which class of music on hold waiting callers hear. */
import { expect, test } from 'vitest'
import { CampaignWorld, INBOUND } from '../../worlds/campaign-world.ts'

const flowOf = (music: string) => `flow: line
start: team
steps:
  team:
    queue: { team: help, timeout: 60s, announce: { position: true, every: 20s }${music} }
    next: bye
    on: { timeout: bye, full: bye, closed: bye }
  bye: { hangup: { say: Goodbye. } }
`

test.for<[string, string, object, string]>([
  ['the team', '', { music: 'jazz' }, 'jazz'],
  ['the step, if it names one', ', music: harp', { music: 'jazz' }, 'harp'],
  ['the switch, if neither names one', '', {}, 'default'],
])('the music of a queue is that of %s, also after announcements', async ([, music, ofTeam, expected]) => {
  const world = new CampaignWorld({ teams: { help: { agents: ['anna'], ...ofTeam } }, flow: flowOf(music) })
  await world.start()
  // Anna talks with another caller.
  world.pbx.callIn({ called: INBOUND, person: { waitsMaxMs: 60_000, hangsUpAfterMs: 300_000 } })
  await world.run(10_000)
  const caller = world.pbx.callIn({ called: INBOUND, person: { waitsMaxMs: 60_000 } })
  await world.run(50_000)
  const heard = caller.heard.filter(({ what }) => what === 'music').map(({ text }) => text)
  expect(heard).toEqual([expected, expected, expected])
})
