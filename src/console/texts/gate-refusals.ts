import type { Refusals } from './refusal-entry.ts'

/** Why a number is not called now: by a campaign, or for a transfer. */
export const GATE_REFUSALS: Refusals = {
  'The kill switch is on, or its state is unknown; lift it to dial.': [
    'All dialing is stopped, or it is unknown whether it is.',
    'Al opringning er stoppet, eller det vides ikke, om den er.',
  ],
  'The time is unknown: the database or this engine gave no clock reading; check both clocks.':
    'Tiden er ukendt: databasen eller denne maskine oplyste ikke klokken; kontrollér begge ure.',
  'The clock went back; set it right.': 'Uret gik tilbage; stil det rigtigt.',
  'The clocks of this engine and of the database differ by more than 2 s; set them right.':
    'Urene i denne maskine og i databasen afviger mere end 2 sekunder; stil dem rigtigt.',
  'Another engine may hold the lease of this campaign.': 'En anden node har måske denne kampagne nu.',
  'The campaign is not active.': 'Kampagnen er ikke aktiv.',
  'The campaign has not started: its startsAt is later.': [
    'The campaign has not started yet.',
    'Kampagnen er ikke begyndt endnu.',
  ],
  'The call task belongs to another campaign.': 'Opkaldsopgaven hører til en anden kampagne.',
  'The call task is finished, or no number of it is left to dial.':
    'Opkaldsopgaven er færdig, eller der er intet nummer tilbage at ringe op.',
  'An attempt for this call task, number or person is in flight, or may be.':
    'Et andet opkald til opgaven, nummeret eller personen er i gang, eller er det måske.',
  'The validity of the call task is over.': 'Opkaldsopgaven gælder ikke længere.',
  'The validity of the call task has not begun.': 'Opkaldsopgaven gælder ikke endnu.',
  'The person is calling us now, or it is unknown whether they are.':
    'Personen ringer til os nu, eller det vides ikke, om det er tilfældet.',
  'The quiet time after the last call from the person is not over, or its end is unknown.':
    'Der er stadig ro efter personens sidste opkald til os, eller det vides ikke, hvornår den slutter.',
  'The interval, a callback date or the quiet time after a dropped call is not over.':
    'Tiden er ikke inde: afstanden til sidste opkald, datoen for et tilbagekald eller roen efter et tabt opkald.',
  'Another number of the call task is next.': 'Et andet af opkaldsopgavens numre er det næste.',
  'The number or the person is on a stop list, or the lists could not be read.':
    'Nummeret eller personen er på en stopliste, eller listerne kunne ikke læses.',
  'The number must not be dialed: it is invalid, costly, or an emergency or service number.':
    'Nummeret må ikke ringes op: det er ugyldigt, dyrt, eller et nød- eller servicenummer.',
  'The number is in a country that the campaign may not call.':
    'Nummeret er i et land, som kampagnen ikke må ringe til.',
  'The calls or minutes of 24 hours to the country of the number are used up, or their count is unknown.':
    'Døgnets opkald eller minutter til nummerets land er brugt op, eller antallet er ukendt.',
  'The time zone of the person is unknown.': 'Personens tidszone er ukendt.',
  'The time is outside the calling hours where the person lives, or the day is a holiday.':
    'Det er uden for de timer, hvor personen må ringes op, eller dagen er en helligdag.',
  'Nobody was reached in this part of the day; the campaign calls again in another one.':
    'Ingen blev nået på denne tid af dagen; kampagnen ringer igen på en anden.',
  'The frequency cap of the person is reached, or the number of calls is unknown.':
    'Personen er ringet op så ofte, som det er tilladt, eller antallet af opkald er ukendt.',
  'The quiet time after the last conversation is not over, or its date is unknown.':
    'Der er stadig ro efter den sidste samtale, eller dens dato er ukendt.',
  'A caller id of the campaign is not in the list of our numbers; add it there, or choose another.': [
    'The number that the campaign shows is not in the list of our numbers. Add it there, or choose another.',
    'Det nummer, kampagnen viser, er ikke på listen over vores numre. Føj det til, eller vælg et andet.',
  ],
  'Calls over the trunk fail before any phone rings: the engine sends one probe at a time. Ask the carrier.':
    'Opkald hos operatøren fejler, før nogen telefon ringer: der prøves med ét ad gangen. Spørg operatøren.',
  'All lines of the trunk are in use, or their use is unknown.':
    'Alle linjer hos operatøren er i brug, eller brugen er ukendt.',
  'The trunk has reached its limit of calls per second.': 'Operatøren tager ikke flere opkald i sekundet.',
  'The call needs a reserved agent: the mode requires it, or an earlier call to the person was dropped.':
    'Opkaldet kræver en bestemt agent: kampagnen forlanger det, eller et tidligere opkald til personen blev tabt.',
  'One more line could exceed an abandonment cap, or a ledger of the campaign is unknown.':
    'Endnu en linje kunne overskride budgettet for tabte opkald, eller kampagnens regnskab er ukendt.',
  '{number} is not called: {why}': '{number} ringes ikke op: {why}',
  'This engine may not dial now: its lease, its records or the switch are in doubt.':
    'Denne node må ikke ringe op nu: det er usikkert, om den kan føre opkald og optegnelser.',
  'The number is one of ours: the call would come back. Go on with a step of the flow.': [
    'The number is one of ours: the call would come back.',
    'Nummeret er et af vores egne: opkaldet ville komme tilbage.',
  ],
  'The number belongs to an open call task, or it is unknown whether it does: only its campaign calls it.':
    'Nummeret hører til en åben opkaldsopgave, eller det vides ikke, om det gør: kun dens kampagne ringer til det.',
  'No trunk may transfer to the country of the number; add it to transferCountries of a trunk.': [
    'No line may transfer to the country of the number. Ask your administrator to allow it.',
    'Ingen linje må viderestille til nummerets land. Bed din administrator om at tillade det.',
  ],
  'The caller id is not one of the trunk; add it to its callerIds, or choose another.': [
    'The number that would be shown is none of the line. Ask your administrator.',
    'Det nummer, der ville blive vist, hører ikke til linjen. Spørg din administrator.',
  ],
}
