/** What the chosen outcome wants to know: its form fields, and when to call back. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { DateField } from '../look/date-field.tsx'
import { fill, LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { CALL_TEXTS } from './call-texts.ts'
import { callbackAt } from './callback-words.ts'
import css from './outcome.module.css'
import type { Draft, Outcome } from './outcome-order.ts'
import type { Saving } from './use-save.ts'

interface FieldsProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly saving: Saving
  readonly nowMs: number
}

/** Nothing before an outcome is chosen. */
export function OutcomeFields({ draft, change, saving, nowMs }: FieldsProps) {
  const outcome = saving.outcomes?.find(({ outcomeId }) => outcomeId === draft.outcomeId)
  if (!outcome) return null
  const isCalledBack = !outcome.final && !draft.call.isIncoming
  return (
    <>
      {(isCalledBack || outcome.fields.length > 0) && <bdi className={css.asking}>{plainText(outcome.name)}</bdi>}
      {outcome.fields.map((field) => (
        <Field key={field.name} field={field} draft={draft} change={change} />
      ))}
      {isCalledBack && (
        <Callback outcome={outcome} draft={draft} change={change} callee={saving.callee} nowMs={nowMs} />
      )}
    </>
  )
}

interface FieldProps extends Pick<FieldsProps, 'draft' | 'change'> {
  readonly field: Outcome['fields'][number]
}

function Field({ field: { name, kind, required, choices }, draft, change }: FieldProps) {
  const texts = useTexts(CALL_TEXTS)
  const shown = plainText(name)
  const props = {
    label: required ? shown : fill(texts.optional, { name: shown }),
    required,
    withAsterisk: false,
    value: draft.fields[name] ?? '',
    'data-place': `field:${name}`,
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      change({ fields: Object.assign({}, draft.fields, { [name]: value }) }),
  }
  if (kind === 'choice') {
    const options = choices.map((value) => ({ value, label: plainText(value) }))
    return <NativeSelect {...props} data={[{ value: '', label: texts.choose }, ...options]} />
  }
  if (kind === 'date') return <DateField {...props} />
  return <TextInput {...props} inputMode={kind === 'number' ? 'decimal' : 'text'} maxLength={1_000} />
}

interface CallbackProps extends Pick<FieldsProps, 'draft' | 'change' | 'nowMs'> {
  readonly outcome: Outcome
  readonly callee: Saving['callee']
}

/** What was understood is shown while it is typed, on the wall of the callee, once that is known. */
function Callback({ outcome: { needsCallBackDate }, draft, change, callee, nowMs }: CallbackProps) {
  const texts = useTexts(CALL_TEXTS)
  const { language } = useLanguage()
  const { zone, isTheirs } = callee
  const said = callbackAt(draft.callback, nowMs, zone ?? 'UTC')
  const date = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'full', timeStyle: 'short', timeZone: zone })
  const understood = said.ok
    ? zone === undefined
      ? texts.whenHint
      : fill(isTheirs ? texts.understood : texts.understoodHere, { date: date.format(said.atMs) })
    : said.why === 'empty'
      ? texts.whenHint
      : texts[`missing.callback.${said.why}`]
  return (
    <>
      <TextInput
        label={needsCallBackDate ? texts.when : fill(texts.optional, { name: texts.when })}
        description={understood}
        inputWrapperOrder={['label', 'input', 'description']}
        value={draft.callback}
        onChange={({ currentTarget }) => change({ callback: currentTarget.value })}
        maxLength={60}
        autoComplete="off"
        data-place="callback"
      />
      <Checkbox
        label={texts.asked}
        description={draft.asked === false ? texts.askedNot : texts.askedHint}
        checked={draft.asked !== false}
        onChange={({ currentTarget }) => change({ asked: currentTarget.checked })}
      />
      <Checkbox
        label={texts.forMe}
        checked={draft.forMe}
        onChange={({ currentTarget }) => change({ forMe: currentTarget.checked })}
      />
    </>
  )
}
