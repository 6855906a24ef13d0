/** The rows of the list. The time is the link of a row, and lies over all of it for the pointer. */
import { Link } from 'wouter'
import { Icon } from '../look/icon.tsx'
import { PATHS } from '../shell/paths.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { useCampaigns } from './call-filter-form.tsx'
import { type Call, length, otherSide, resultOf, spokenLength, timeOf } from './call-wording.ts'
import css from './calls.module.css'
import { CALLS_TEXTS } from './calls-texts.ts'

/** The address of one call. */
export function addressOf(eactId: number): string {
  return PATHS.call.replace(':eactId', String(eactId))
}

/** The table. */
export function CallTable({ calls }: { readonly calls: readonly Call[] }) {
  const texts = useTexts(CALLS_TEXTS)
  const { data: campaigns } = useCampaigns()
  const names = new Map(campaigns?.map(({ id, name }) => [id, name]))
  return (
    <table className={css.table}>
      <caption className={css.unseen}>{texts.title}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.began}</th>
          <th scope="col">{texts.other}</th>
          <th scope="col">{texts.result}</th>
          <th scope="col" className={css.number}>
            {texts.talk}
          </th>
          <th scope="col" className={css.wide}>
            {texts.agent}
          </th>
          <th scope="col" className={css.wide}>
            {texts.team}
          </th>
          <th scope="col" className={css.wide}>
            {texts.campaign}
          </th>
          <th scope="col" className={css.wide}>
            {texts.waveform}
          </th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <Row key={call.eactId} call={call} campaign={names.get(call.callAttempt?.callCode ?? 0)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ call, campaign }: { readonly call: Call; readonly campaign: string | undefined }) {
  const texts = useTexts(CALLS_TEXTS)
  const { language } = useLanguage()
  const { eactId, direction, creationTs, talkSeconds, agent, queue, recordings } = call
  const way = direction === 1 ? 'in' : 'out'
  const isRecorded = recordings.some(({ cfreId }) => cfreId !== null)
  return (
    <tr className={css.row}>
      <td>
        <Link href={addressOf(eactId)} className={css.open} data-row>
          {timeOf(creationTs, language, 'dateTime')}
        </Link>
      </td>
      <td>
        <span className={css.way}>
          <Icon name={way} size={16} />
          <span className={css.wayWord}>{texts[way]}</span>
          <bdi className={css.other}>{plainText(otherSide(call))}</bdi>
        </span>
      </td>
      <td>
        <Result call={call} />
      </td>
      <td className={css.number}>
        <span aria-hidden="true">{talkSeconds > 0 ? length(talkSeconds) : '–'}</span>
        <span className={css.unseen}>{spokenLength(talkSeconds, texts)}</span>
      </td>
      <Name name={agent?.name} />
      <Name name={queue?.name} />
      <Name name={campaign} />
      <td className={css.wide}>{isRecorded ? <Mark text={texts.yes} /> : '–'}</td>
    </tr>
  )
}

function Name({ name }: { readonly name: string | undefined }) {
  return (
    <td className={`${css.wide} ${css.name}`}>
      <bdi>{name === undefined ? '–' : plainText(name)}</bdi>
    </td>
  )
}

function Mark({ text }: { readonly text: string }) {
  return (
    <span className={css.way}>
      <Icon name="sound" size={16} />
      {text}
    </span>
  )
}

/** A state is an icon and a word; its colour only repeats it. */
export function Result({ call }: { readonly call: Call }) {
  const { words, icon, tone } = resultOf(call, useTexts(CALLS_TEXTS))
  return (
    <span className={css.way} data-tone={tone}>
      <Icon name={icon} size={16} />
      {words}
    </span>
  )
}
