/** Callers who wait, by team. */
import { useSyncExternalStore } from 'react'
import { useTexts } from '../texts/language.tsx'
import css from './board.module.css'
import { useBoard, useRow } from './board-context.ts'
import { queuesShown } from './board-rows.ts'
import { BOARD_TEXTS } from './board-texts.ts'
import queue from './queue.module.css'
import { Name, Sentence } from './sentence.tsx'
import { Timer } from './timer.tsx'

interface StripProps {
  readonly team: number | undefined
  readonly isWall: boolean
}

/** One line, which wraps; on the wall only where there is one. */
export function QueueStrip({ team, isWall }: StripProps) {
  const texts = useTexts(BOARD_TEXTS)
  const { rows, directory, isKnown } = useBoard()
  useSyncExternalStore(
    (changed) => rows.subscribeKeys('queue', changed),
    () => rows.keys('queue'),
  )
  const shown = queuesShown(rows, { team }, directory)
  if (isWall && shown.length === 0) return null
  return (
    <section className={css.panel} aria-labelledby="board-queues">
      <h2 id="board-queues" className={css.heading}>
        {texts.queues}
      </h2>
      {shown.length === 0 && <p className={css.empty}>{isKnown ? texts.noQueues : texts.notKnown}</p>}
      <ul className={queue.queues}>
        {shown.map(({ name }) => (
          <Queue key={name} team={name} />
        ))}
      </ul>
    </section>
  )
}

function Queue({ team }: { readonly team: string | number }) {
  const texts = useTexts(BOARD_TEXTS)
  const row = useRow('queue', team)
  if (!row) return null
  const { name, waiting, longestSinceTs, ready, atWork } = row
  const time = <Timer sinceMs={longestSinceTs === null ? undefined : Date.parse(longestSinceTs)} />
  const values = { waiting: String(waiting), ready: String(ready), atWork: String(atWork), time }
  return (
    <li id={`queue-${name}`} className={queue.queue} tabIndex={-1}>
      <span className={queue.queueName}>
        <Name>{name}</Name>
      </span>
      <span className={queue.queueCount} data-waiting={waiting > 0 || undefined}>
        <Sentence text={waiting > 0 ? texts.queueWaiting : texts.queueFree} values={values} />
      </span>
      <span className={css.dim}>
        <Sentence text={texts.queueReady} values={values} />
      </span>
    </li>
  )
}
