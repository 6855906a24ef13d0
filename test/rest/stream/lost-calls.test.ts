/** "Lost a minute" on the board: of an engine on a simulated switch, as its boards tell it. */
import { expect, test } from 'vitest'
import { type AttemptId, type CampaignId, FIRST_CORPORATION } from '../../../src/kernel/ids.ts'
import type { BoardLine } from '../../../src/ports/live.ts'
import { BoardTopics } from '../../../src/rest/stream/board-topics.ts'
import { CALLER_ID, CAMPAIGN, CampaignWorld } from '../../worlds/campaign-world.ts'

const SECOND = (CAMPAIGN + 1) as CampaignId

/** Two campaigns of one team, and a board that hears both. */
async function open(ledger: object) {
  const shown: { topics?: BoardTopics } = {}
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    parts: ({ dialer }) => ({
      dialer: {
        ...dialer!,
        keepSupervised: async () => {},
        onBoard: (board) => {
          dialer!.onBoard?.(board)
          // As the live port takes it.
          const what = JSON.parse(JSON.stringify(board)) as BoardLine['what']
          shown.topics?.line({ node: 'one', atMs: world.clock.nowMs(), what })
        },
      },
    }),
  })
  for (const campaign of [CAMPAIGN, SECOND]) await world.campaign({ ledgers: [ledger] }, campaign)
  const openBoard = () => {
    const { agentDesktop, supervisions } = world.engine
    const live = { kind: 'alone', publishBoard: () => {} } as const
    const options = { agentDesktop: agentDesktop!, supervision: supervisions!, live, node: 'one', clock: world.clock }
    shown.topics ??= new BoardTopics(options)
  }
  await world.start()
  openBoard()
  const topic = shown.topics!.open('board', { corporations: [FIRST_CORPORATION] })!
  /** The calls that were lost in the last 30 minutes. */
  const lost = () => {
    shown.topics!.refresh()
    topic.flush()
    const [floor] = topic.rows().flatMap(([kind, , fields]) => (kind === 'floor' ? [fields] : []))
    return (floor!['lost'] as number[]).reduce((sum, count) => sum + count)
  }
  let attempt = 1_000
  /** A person answers, and no agent is there: as the engine counts it when it begins to say sorry. */
  const lose = async (campaign: CampaignId = CAMPAIGN) => {
    const run = world.engine.dialer!.campaigns.get(campaign)!
    const call = { attempt: attempt++ as AttemptId, answeredAtMs: world.clock.nowMs(), callerId: CALLER_ID }
    run.abandoned(call)
    await world.run(20_000)
    run.resolved(call, false, true, world.clock.nowMs())
    await world.run(20_000)
  }
  return { world, lost, lose }
}

test('a call counts once, although two campaigns share the ledger', async () => {
  const { world, lost, lose } = await open({ maxAbandonRate: 0.03, window: '24hours', scope: 'client' })
  await world.run(20_000)
  expect(lost()).toBe(0)
  await lose()
  expect(lost()).toBe(1)
  await lose(SECOND)
  expect(lost()).toBe(2)
})

test('a ledger that is changed, and an engine that begins anew, add no losses', async () => {
  const { world, lost, lose } = await open({ maxAbandonRate: 0.03, window: '24hours' })
  await world.run(20_000)
  for (const campaign of [CAMPAIGN, SECOND, SECOND, SECOND]) await lose(campaign)
  expect(lost()).toBe(4)
  await world.campaign({ ledgers: [{ maxAbandonRate: 0.03, window: '24hours', scope: 'client' }] })
  expect(await world.until(() => world.boards.get(CAMPAIGN)?.ledgers[0]?.abandoned === 4, 120_000)).toBe(true)
  expect(lost()).toBe(4)
  await world.crash()
  await world.start()
  await world.run(20_000)
  expect(lost()).toBe(4)
})
