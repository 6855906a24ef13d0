/** The filters of the list. Each takes effect when it is chosen; what is typed, with Enter or when one goes on. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { DateField } from '../look/date-field.tsx'
import { Icon } from '../look/icon.tsx'
import { ask } from '../session/ask.ts'
import { useSession } from '../session/use-session.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { type CallFilter, type FilterName, isRight } from './call-filter-query.ts'
import { RESULTS } from './call-wording.ts'
import css from './calls.module.css'
import { CALLS_TEXTS } from './calls-texts.ts'

interface FormProps {
  readonly filter: CallFilter
  readonly onChange: (name: FilterName, text: string) => void
  readonly onClear: () => void
  /** Another one after each clearing: what was typed and filters nothing goes with it. */
  readonly round: number
  /** The field of the number, which a key goes to. */
  readonly numberField: RefObject<HTMLInputElement | null>
}

/** All of them. */
export function CallFilterForm({ filter, onChange, onClear, round, numberField }: FormProps) {
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
      <Typed key={`from ${round}`} {...typed('from')} type="date" />
      <Typed key={`to ${round}`} {...typed('to')} type="date" />
      <Typed {...typed('number')} type="tel" field={numberField} placeholder={texts.numberHint} />
      <Choice {...chosen('direction')} choices={ways} />
      {agents && <Choice {...chosen('agent')} choices={agents} />}
      <Choice {...chosen('team')} choices={teams} />
      <Choice {...chosen('campaign')} choices={campaigns} />
      <Choice {...chosen('result')} choices={results} />
      <Choice {...chosen('recorded')} choices={recorded} />
      <Typed key={`min ${round}`} {...typed('min')} type="number" />
      <Typed key={`max ${round}`} {...typed('max')} type="number" />
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

/** What cannot be filtered by stays to be mended, filters nothing, and says so. */
function Typed({ name, label, given, onChange, type, field, placeholder }: TypedProps) {
  const texts = useTexts(CALLS_TEXTS)
  const [text, setText] = useState(given)
  const [isWrong, setWrong] = useState(false)
  const told = useRef(given)
  useEffect(() => {
    // Another address, such as the one before; not what this field has said itself.
    if (given !== told.current) {
      setText(given)
      setWrong(false)
    }
    told.current = given
  }, [given])
  const commit = ({ validity }: HTMLInputElement) => {
    const isGood = !validity.badInput && isRight(name, text)
    setWrong(!isGood)
    told.current = isGood ? text : ''
    if (told.current !== given) onChange(name, told.current)
  }
  const on = {
    onBlur: ({ currentTarget }: { currentTarget: HTMLInputElement }) => commit(currentTarget),
    onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => key === 'Enter' && commit(currentTarget),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setText(currentTarget.value)
      setWrong(false)
    },
  }
  const limits = type === 'number' ? { min: 0, max: 86_400, step: 1 } : { maxLength: 40 }
  const error = isWrong && (type === 'date' ? texts.wrongDay : type === 'number' && texts.wrongSeconds)
  const own = { type, label, value: text, error, ...limits, ...on }
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
