/** The filters of the list. Each takes effect when it is chosen; what is typed, with Enter or when one goes on. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { DateField } from '../look/date-field.tsx'
import { Icon } from '../look/icon.tsx'
import { ask } from '../session/ask.ts'
import { useSession } from '../session/use-session.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import type { CallFilter, FilterName } from './call-filter-query.ts'
import { RESULTS } from './call-wording.ts'
import css from './calls.module.css'
import { CALLS_TEXTS } from './calls-texts.ts'

interface FormProps {
  readonly filter: CallFilter
  readonly onChange: (name: FilterName, text: string) => void
  readonly onClear: () => void
  /** The field of the number, which a key goes to. */
  readonly numberField: RefObject<HTMLInputElement | null>
}

/** All of them. */
export function CallFilterForm({ filter, onChange, onClear, numberField }: FormProps) {
  const texts = useTexts(CALLS_TEXTS)
  const { agents, teams, campaigns } = useChoices()
  const results = Object.entries(RESULTS).map(([id, name]) => ({ id, name: texts[name] }))
  const ways = [
    { id: 'in', name: texts.in },
    { id: 'out', name: texts.out },
  ]
  const recorded = [
    { id: 'yes', name: texts.yes },
    { id: 'no', name: texts.no },
  ]
  const [isOpen, setOpen] = useState(false)
  const count = Object.keys(filter).length
  const typed = (name: FilterName) => ({ name, label: texts[name], given: filter[name] ?? '', onChange })
  const chosen = (name: FilterName) => ({ name, label: texts[name], given: filter[name] ?? '', onChange })
  return (
    <search className={css.filters} aria-label={texts.filters} data-closed={isOpen ? undefined : true}>
      {/* On a narrow screen alone: eleven fields would push the calls out of sight. */}
      <Button
        variant="default"
        className={css.showFilters}
        rightSection={<Icon name="down" size={16} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? texts.filters : fill(texts.filtersOn, { count })}
      </Button>
      <Typed {...typed('from')} type="date" />
      <Typed {...typed('to')} type="date" />
      <Typed {...typed('number')} type="tel" field={numberField} placeholder={texts.numberHint} />
      <Choice {...chosen('direction')} choices={ways} />
      {agents && <Choice {...chosen('agent')} choices={agents} />}
      <Choice {...chosen('team')} choices={teams} />
      <Choice {...chosen('campaign')} choices={campaigns} />
      <Choice {...chosen('result')} choices={results} />
      <Choice {...chosen('recorded')} choices={recorded} />
      <Typed {...typed('min')} type="number" />
      <Typed {...typed('max')} type="number" />
      <Button variant="default" className={css.clear} disabled={count === 0} onClick={onClear}>
        {texts.clear}
      </Button>
    </search>
  )
}

interface FieldProps {
  readonly name: FilterName
  readonly label: string
  /** Empty: it filters nothing. */
  readonly given: string
  readonly onChange: (name: FilterName, text: string) => void
}

interface TypedProps extends FieldProps {
  readonly type: 'date' | 'tel' | 'number'
  readonly field?: RefObject<HTMLInputElement | null>
  readonly placeholder?: string
}

function Typed({ name, label, given, onChange, type, field, placeholder }: TypedProps) {
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  const commit = () => text !== given && onChange(name, text)
  const onKeyDown = ({ key }: KeyboardEvent) => key === 'Enter' && commit()
  const on = { onChange: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value) }
  const limits = type === 'number' ? { min: 0, max: 86_400, step: 1 } : { maxLength: 40 }
  const own = { type, label, value: text, onBlur: commit, onKeyDown, ...limits, ...on }
  if (type === 'date') return <DateField {...own} autoComplete="off" />
  return <TextInput {...own} {...(field && { ref: field })} {...(placeholder && { placeholder })} autoComplete="off" />
}

interface ChoiceProps extends FieldProps {
  readonly choices: readonly { readonly id: string | number; readonly name: string }[]
}

/** What the address names and the list lacks, such as a campaign of long ago, stays to be seen by its number. */
function Choice({ name, label, given, onChange, choices }: ChoiceProps) {
  const texts = useTexts(CALLS_TEXTS)
  const isKnown = given === '' || choices.some(({ id }) => String(id) === given)
  const data = [
    { value: '', label: texts.all },
    ...choices.map((each) => ({ value: String(each.id), label: plainText(each.name) })),
    ...(isKnown ? [] : [{ value: given, label: fill(texts.unnamed, { id: given }) }]),
  ]
  return (
    <NativeSelect label={label} data={data} value={given} onChange={(event) => onChange(name, event.target.value)} />
  )
}

const CAMPAIGNS_MAX = 1_000

/** Whom and what one may choose from; agents do not see the list of people, and find their own calls anyway. */
function useChoices() {
  const { roles } = useSession()
  const isSupervisor = roles.includes('supervisor') || roles.includes('admin')
  const people = useQuery({
    queryKey: ['calls', 'users'],
    queryFn: () => ask('GET /rest/core/users', { query: { size: CAMPAIGNS_MAX } }),
    enabled: isSupervisor,
  })
  const queues = useQuery({ queryKey: ['calls', 'queues'], queryFn: () => ask('GET /rest/svcpbx/queue') })
  const { data: campaigns } = useCampaigns()
  return {
    agents: isSupervisor ? (people.data ?? []).map(({ userId, name }) => ({ id: userId, name })) : undefined,
    teams: (queues.data ?? []).map(({ ucquId, name }) => ({ id: ucquId, name })),
    campaigns: campaigns ?? [],
  }
}

/** The campaigns that one may see, by their names. */
export function useCampaigns() {
  return useQuery({
    queryKey: ['calls', 'campaigns'],
    queryFn: async () => {
      const { callCodes } = await ask('GET /dialer/callcode', { query: { limit: CAMPAIGNS_MAX } })
      return callCodes.map(({ callCode, name }) => ({ id: callCode, name }))
    },
  })
}
