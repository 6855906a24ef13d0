/** The conversation in which this person takes part, and the ways to change or leave it. */
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { ACT_TEXTS } from './act-texts.ts'
import css from './board.module.css'
import type { Directory } from './board-rows.ts'
import { Sentence } from './sentence.tsx'
import { type Acts, type Mode, useSupervision } from './use-acts.ts'

/** Nothing while there is none. */
export function SupervisionBar({ acts, directory }: { readonly acts: Acts; readonly directory: Directory }) {
  const texts = useTexts(ACT_TEXTS)
  const supervision = useSupervision()
  if (!supervision) return null
  const { callId, userName, mode, state } = supervision
  const name = plainText(directory.people.get(userName)?.name ?? userName)
  const words = { listen: texts.youListen, whisper: texts.youWhisper, join: texts.youJoin }
  const modes = { listen: texts.listen, whisper: texts.whisper, join: texts.join }
  return (
    <div className={css.supervision}>
      <span role="status">
        <Sentence text={words[mode as Mode]} values={{ name }} />
        {state === 'ringing' && ` – ${texts.phoneRings}`}
      </span>
      {(Object.keys(modes) as Mode[]).map((one) => (
        <button
          key={one}
          type="button"
          className={css.act}
          aria-pressed={one === mode}
          onClick={() => acts.supervise(callId, one, name)}
        >
          {modes[one]}
        </button>
      ))}
      <button type="button" className={css.act} onClick={() => acts.leave(callId, name)}>
        {texts.leave}
      </button>
    </div>
  )
}
