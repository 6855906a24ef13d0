import type { Refusals } from './refusal-entry.ts'

/** Answers to the orders of an agent: calls, outcomes, colleagues. */
export const ORDER_REFUSALS: Refusals = {
  'this credential does not belong to an agent; use the credential of an agent of the configuration': [
    'You are no agent of this centre. Ask your supervisor to add you to a team.',
    'Du er ikke agent i dette center. Bed din supervisor om at føje dig til et team.',
  ],
  'callBackTs is not an instant; write it as 2026-01-02T15:04:05Z': [
    'This is no time that the node knows. Write it anew.',
    'Dette tidspunkt kan ikke læses. Skriv det igen.',
  ],
  'give number, or userName of an agent who is ready, and not both': [
    'Name a colleague who is ready, or a number.',
    'Vælg en kollega, der er klar, eller et nummer.',
  ],
  'without callBackTs nobody calls back; give it, or leave callBackForMe and askedByContact out': [
    'Without a date nobody calls back. Write when to call back.',
    'Uden en dato ringer ingen tilbage. Skriv, hvornår der skal ringes tilbage.',
  ],
  'you are not logged in; log in first': 'Du er ikke logget ind. Log ind først.',
  'unknown agent; ask your administrator to add you to the configuration':
    'Du er ikke kendt som agent. Bed din administrator om at føje dig til konfigurationen.',
  'nobody is on the line': 'Der er ingen i røret.',
  'there is no call to wrap up': 'Der er intet opkald at efterbehandle.',
  'The wrap-up of this call is over.': 'Efterbehandlingen af dette opkald er slut.',
  'No task is offered to you.': 'Du har ikke fået tilbudt nogen opgave.',
  'This task is not offered to you any more.': 'Du får ikke længere tilbudt denne opgave.',
  'No task is offered to you. Name the task to dial.':
    'Du har ikke fået tilbudt nogen opgave. Vælg den, du vil ringe op.',
  'The date of a callback must be in the future.': 'Datoen for et tilbagekald skal ligge i fremtiden.',
  'You talk with somebody else. Go back to the call, or join both.':
    'Du taler med en anden. Gå tilbage til opkaldet, eller saml alle tre.',
  'You are logged in on the node {node}. Log out there first.': 'Du er logget ind på noden {node}. Log ud der først.',
  'Whether you are logged in on another node cannot be found out now. Try again.':
    'Det kan ikke ses nu, om du er logget ind på en anden node. Prøv igen.',
  'This failed because of an internal error. Try again.': 'Det mislykkedes på grund af en intern fejl. Prøv igen.',
  'The call task was ended or stopped, or is over by then: nobody will call back. Tell the contact.':
    'Opkaldsopgaven er afsluttet, stoppet eller udløbet inden da: ingen ringer tilbage. Sig det til kontakten.',
  'The number of this call is withheld or not international, so it cannot be stopped.':
    'Nummeret på dette opkald er skjult eller ikke internationalt, så det kan ikke stoppes.',
  'This call is not recorded by consent.': 'Dette opkald optages ikke efter samtykke.',
  'You are not in a conversation, so there is nothing to hold or to mute.':
    'Du er ikke i en samtale, så der er intet at sætte på hold eller slå lyden fra for.',
  'The other side is on hold. Take them back first.': 'Den anden er på hold. Genoptag opkaldet først.',
  'You are not in a conversation, so there is nobody to transfer.':
    'Du er ikke i en samtale, så der er ingen at viderestille.',
  'You talk with somebody else already. Go back to the call first.':
    'Du taler allerede med en anden. Gå tilbage til opkaldet først.',
  'You have called nobody else.': 'Du har ikke ringet til andre.',
  'They have not answered yet.': 'Der er ikke svaret endnu.',
  'This is no telephone number. Write it with its country, as +45 20 12 34 56.':
    'Dette er ikke et telefonnummer. Skriv det med landet, som +45 20 12 34 56.',
  'Numbers of another country are not called from the desk.': 'Numre i andre lande ringes ikke op herfra.',
  'The call has ended meanwhile.': 'Opkaldet er sluttet i mellemtiden.',
  'Transfers are not possible on this node.': 'Der kan ikke viderestilles på denne node.',
  'The line is busy.': 'Der er optaget.',
  'Nobody answered.': 'Ingen svarede.',
  'The call was refused.': 'Opkaldet blev afvist.',
  'There is no such number.': 'Nummeret findes ikke.',
  'They could not be reached.': 'Vedkommende kunne ikke nås.',
  'They could not be connected with you.': 'Vedkommende kunne ikke forbindes med dig.',
  'The switch did not connect the two sides.': 'Telefonsystemet forbandt ikke de to parter.',
  'They have left.': 'Vedkommende har forladt samtalen.',
  'They have hung up.': 'Vedkommende har lagt på.',
  'They are not there any more.': 'Vedkommende er der ikke længere.',
  'Their phone was lost.': 'Forbindelsen til vedkommendes telefon gik tabt.',
  '{name} is not ready now. Choose somebody else.': '{name} er ikke klar nu. Vælg en anden.',
  '{name} is not there any more.': '{name} er der ikke længere.',
  'A call is dialed for you already.': 'Der ringes allerede op for dig.',
  'You are needed for a call that comes to you in a moment.': 'Du skal bruges til et opkald, der kommer om et øjeblik.',
  'You are not ready.': 'Du er ikke klar.',
  'The dialer still looks for a call for you. Try again.': 'Der ledes stadig efter et opkald til dig. Prøv igen.',
  'There is no such task, or its campaign is not complete.':
    'Opkaldsopgaven findes ikke, eller dens kampagne er ikke færdig sat op.',
  'The call task is offered to another agent.': 'Opkaldsopgaven er tilbudt en anden agent.',
  'Dialing is not possible at the moment. Try again later.': 'Der kan ikke ringes op lige nu. Prøv igen senere.',
  'The database is unavailable, so nothing can be dialed. Try again later.':
    'Databasen svarer ikke, så der kan ikke ringes op. Prøv igen senere.',
  'Your teams have no such campaign, or it is not complete.':
    'Dine team har ikke denne kampagne, eller den er ikke færdig sat op.',
  'Agents of this campaign may not dial numbers. A supervisor can allow it (agentsDialNumbers).': [
    'Agents of this campaign may not dial numbers. A supervisor can allow it.',
    'Kampagnens agenter må ikke ringe numre op. En supervisor kan tillade det.',
  ],
  'The number is no text.': 'Nummeret er ikke en tekst.',
  'The number is no telephone number; write + and digits.': 'Nummeret er ikke et telefonnummer; skriv + og cifre.',
  'The number is an emergency or another short number.': 'Nummeret er et nødnummer eller et andet kort nummer.',
  'The number is not in use in its country.': 'Nummeret er ikke i brug i sit land.',
  'The number belongs to no country.': 'Nummeret hører ikke til noget land.',
  'The number costs more than a call to a person.': 'Nummeret koster mere end et opkald til en person.',
  'The number is not the number of a person or an office.': 'Nummeret er ikke en persons eller et kontors nummer.',
  'The number is in a country the campaign may not call.': 'Nummeret er i et land, som kampagnen ikke må ringe til.',
  'You have no call that this could refer to.': 'Du har intet opkald, som dette kan handle om.',
  'You had no such call, or it ended too long ago.': 'Du har ikke haft det opkald, eller det sluttede for længe siden.',
  'This cannot be looked up now. Try again.': 'Det kan ikke slås op lige nu. Prøv igen.',
  'This call has ended.': 'Dette opkald er slut.',
  'This call came in; the order is only for calls that the dialer placed.':
    'Dette opkald kom ind; det kan kun gøres ved opkald, som vi selv har ringet op.',
  'A new call has just come up. Say with the order which call it is about.': [
    'A new call has just come up. Look which call you mean, and try again.',
    'Der er lige kommet et nyt opkald. Se efter, hvilket opkald du mener, og prøv igen.',
  ],
  'The campaign has a catalogue of outcomes. Give the order outcome, with one of its outcomes.': [
    'The campaign has outcomes. Choose one of them.',
    'Kampagnen har udfald. Vælg et af dem.',
  ],
  'The team has a catalogue of outcomes. Give the order outcome, with one of its outcomes.': [
    'The team has outcomes. Choose one of them.',
    'Teamet har udfald. Vælg et af dem.',
  ],
  'A call that came in has no call task to be called back. Leave the date out, and call back from a campaign.':
    'Et indgående opkald har ingen opkaldsopgave at ringe tilbage på. Udelad datoen, og ring tilbage fra en kampagne.',
  'A call that came in has no call task to be ended: a number proves no identity. Leave final out.':
    'Et indgående opkald har ingen opkaldsopgave at afslutte: et nummer beviser ikke, hvem der ringer.',
  'The campaign has no such outcome. Choose one of its catalogue.':
    'Kampagnen har ikke dette udfald. Vælg et af dens udfald.',
  'The team has no such outcome. Choose one of its catalogue.': 'Teamet har ikke dette udfald. Vælg et af dets udfald.',
  'The outcome "{outcome}" is retired. Choose another one.': 'Udfaldet "{outcome}" bruges ikke længere. Vælg et andet.',
  'The outcome "{outcome}" needs the date of a callback.': 'Udfaldet "{outcome}" kræver en dato for et tilbagekald.',
  'The outcome "{outcome}" ends the call task: nobody calls back. Leave the date out, or choose another.':
    'Udfaldet "{outcome}" afslutter opkaldsopgaven: ingen ringer tilbage. Udelad datoen, eller vælg et andet.',
  'The outcome "{outcome}" has no field "{field}". Leave it out.':
    'Udfaldet "{outcome}" har ikke feltet "{field}". Udelad det.',
  'The outcome "{outcome}" needs its field "{field}".': 'Udfaldet "{outcome}" kræver feltet "{field}".',
  'The field "{field}" is given twice. Leave one of them out.': 'Feltet "{field}" er udfyldt to gange. Udelad det ene.',
  'The field "{field}" must be a text that is not blank.': 'Feltet "{field}" skal være en tekst, der ikke er tom.',
  'The field "{field}" must be a number.': 'Feltet "{field}" skal være et tal.',
  'The field "{field}" must be a day such as 2026-01-31.': 'Feltet "{field}" skal være en dag som 2026-01-31.',
  'The field "{field}" must be one of {choices}.': 'Feltet "{field}" skal være en af {choices}.',
}

/** Why an agent is paused or logged out, where the node did it. */
export const STATE_REASONS: Refusals = {
  'no longer in the set-up': 'ikke længere i konfigurationen',
  'the service was restarted': 'tjenesten blev genstartet',
  'the phone answered and sent no sound': 'telefonen svarede og sendte ingen lyd',
  'the phone was lost and could not be called back': 'forbindelsen til telefonen gik tabt og kunne ikke oprettes igen',
  'the phone did not answer': 'telefonen svarede ikke',
  'the telephone system takes no calls to the phone': 'telefonsystemet tager ingen opkald til telefonen',
  'was away': 'var væk',
  'ready for 12 hours without a call': 'klar i 12 timer uden et opkald',
  'did not take a call': 'tog ikke et opkald',
  'the wrap-up was never ended': 'efterbehandlingen blev aldrig afsluttet',
  'two calls could not be connected': 'to opkald kunne ikke forbindes',
  'paused for 8 hours': 'på pause i 8 timer',
  'the screen was gone for 10 minutes': 'skærmen var lukket i 10 minutter',
  'did not look at the task that was offered': 'så ikke på den opgave, der blev tilbudt',
}
