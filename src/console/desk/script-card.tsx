/** What the campaign wants to be said, filled in for this person. */
import { Paper } from '@mantine/core'
import { useTexts } from '../texts/language.tsx'
import { CALL_TEXTS } from './call-texts.ts'
import desk from './desk.module.css'
import type { DeskTask } from './desk-state.ts'
import css from './script.module.css'
import { filledScript, placeOf } from './script-words.ts'
import { useCallTask, useCampaign } from './use-call-task.ts'

interface ScriptProps {
  readonly task: DeskTask | null
  readonly number: string | undefined
}

/** Nothing where the campaign has no script. It scrolls by itself, also with the keyboard, and moves nothing below. */
export function ScriptCard({ task, number }: ScriptProps) {
  const texts = useTexts(CALL_TEXTS)
  const { data: campaign } = useCampaign(task?.callCode)
  const { data: loaded } = useCallTask(task?.itcaId)
  if (!task || !campaign?.script) return null
  const values = new Map<string, string>()
  for (const { name, value } of loaded?.properties ?? []) values.set(placeOf(name), value)
  const own = {
    name: task.name,
    externalCaseNumber: task.caseNumber,
    customer: task.customer,
    number: number ?? loaded?.callNumberList?.[0]?.e164,
  }
  for (const [name, value] of Object.entries(own)) values.set(placeOf(name), value ?? '')
  return (
    <Paper withBorder className={desk.card}>
      <h2 className={desk.heading}>{texts.script}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard (WCAG 2.1.1). */}
      <section className={css.script} tabIndex={0} aria-label={texts.script}>
        {filledScript(campaign.script, values).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other name.
          <p key={at}>
            {line.map(({ text, kind }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <bdi key={place} data-kind={kind}>
                {text}
              </bdi>
            ))}
          </p>
        ))}
      </section>
    </Paper>
  )
}
