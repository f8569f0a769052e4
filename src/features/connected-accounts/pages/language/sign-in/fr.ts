import type { SignInTexts } from './en.ts'

export const signInTexts: SignInTexts = {
  'signin.title': 'Se connecter pour {resource}',
  'signin.asks': '{program} demande à utiliser {resource} de {project}.',
  'signin.asks_for': '{program} demande à utiliser {resource} de {project} pour l’utilisateur {user}.',
  'signin.program': 'Un programme qui se présente comme {name}',
  'signin.program_of': '{name} de {host}',
  'signin.unnamed': 'sans nom',
  'signin.have_link':
    'Si {project} vous a donné un lien de connexion, ouvrez-le maintenant dans ce navigateur.',
  'signin.or_key': 'Ou connectez-vous avec une clé du projet',
  'signin.user': 'Utilisateur',
  'signin.user_text': 'L’utilisateur dont le programme utilisera les comptes.',
  'signin.key': 'Clé',
  'signin.key_text':
    'Une clé d’API de {project} avec l’autorisation sessions:write. Elle n’est pas enregistrée.',
  'signin.button': 'Se connecter',
  'signin.with_provider': 'Se connecter avec {provider}',
  'signin.provider_unreachable':
    '{provider} est injoignable pour le moment. Réessayez dans une minute ou connectez-vous autrement.',
  'signin.provider_failed':
    'La connexion auprès de {provider} a échoué. Réessayez ou connectez-vous autrement.',
  'signin.provider_no_user':
    '{provider} n’a pas indiqué quel utilisateur vous êtes : vous ne pouvez pas vous connecter avec ce fournisseur. Contactez {project}.',
  'signin.as': 'Se connecter en tant que {user}',
  'signin.user_error': 'Saisissez un identifiant d’utilisateur de {max} caractères au plus.',
  'signin.key_error':
    'Cette clé d’API de {project} n’est pas valide, ou il lui manque sessions:write ou ' +
    'tool_execution:write.',
  'signin.other_user':
    'Vous êtes connecté en tant que {user}, mais l’URL dans le programme est pour {other}.',
  'signin.link_lead':
    'Avec ce lien de {project}, vous vous connectez en tant que {user} et pouvez autoriser des programmes ' +
    'à utiliser {resource} pour vous.',
  'signin.link_foot':
    'Ce navigateur reste connecté pendant une heure. Continuez seulement s’il s’agit de vous.',
  'signin.done': 'Vous êtes connecté',
  'signin.done_text':
    'Ce navigateur est connecté en tant que {user} pendant une heure. Connectez maintenant votre ' +
    'programme. Il ouvre ici une page où vous autorisez l’accès.',
  'signin.nothing': 'Il n’y a rien pour quoi se connecter',
  'signin.nothing_text':
    'L’URL dans le programme n’est pas celle d’un serveur MCP ou d’une session, ou elle a été supprimée. ' +
    'Vérifiez l’URL dans le programme, puis reconnectez-le.',
  'signin.too_many': 'Trop de connexions en cours',
  'signin.too_many_text':
    'Trop de connexions ont été commencées depuis ce réseau sans être terminées. Attendez 15 minutes, ' +
    'puis reconnectez le programme.',
  'signin.ended': 'Cette connexion est terminée',
  'signin.ended_text':
    'Elle est déjà achevée ou est restée ouverte plus de 15 minutes. Reconnectez-vous dans le programme.',
  'signin.link_ended_text':
    'Un lien de connexion fonctionne une fois, pendant dix minutes. Demandez-en un nouveau à ' +
    'l’application qui vous a donné celui-ci.',

  'consent.title': 'Autoriser l’accès à {resource}',
  'consent.asks': '{program} demande à utiliser {resource} de {project} en votre nom.',
  'consent.able': 'Il pourra',
  'consent.run': 'exécuter les outils de {resource} pour l’utilisateur {user}',
  'consent.use': 'utiliser les comptes que {user} a connectés pour eux',
  'consent.allow': 'Autoriser en tant que {user}',
  'consent.result':
    'Le résultat est envoyé à : {destination}. N’autorisez l’accès que si vous avez commencé cela ' +
    'vous-même.',
  'consent.signed_in': 'Vous êtes connecté en tant que {user} ; {other}.',
  'consent.other': 'se connecter avec un autre utilisateur',

  'program.local': 'un programme sur cet ordinateur',
  'program.scheme': 'le programme de cet ordinateur qui ouvre les liens {scheme}',

  'request.invalid': 'Le programme a envoyé une demande non valide',
  'request.invalid_text': 'Le développeur du programme doit corriger cela.',
  'request.return': 'Retour : {destination}',
  'request.wrong_url': 'Le programme a envoyé une URI de redirection qu’il n’a pas enregistrée',
  'request.wrong_url_text':
    'Rien n’est envoyé à cette URI. Supprimez la connexion dans le programme et ajoutez-la de nouveau. Si ' +
    'cela ne suffit pas, contactez le développeur du programme.',
  'request.too_many': 'Trop de programmes ont été consultés',
  'request.unregistered': 'Ce programme n’est pas enregistré',
  'request.unregistered_text': 'Supprimez la connexion dans le programme et ajoutez-la de nouveau.',

  'failure.missing': 'Cette page n’existe pas',
  'failure.missing_text': 'Vérifiez l’URL. La référence de l’API indique ce que ce serveur sait faire.',
  'failure.reference': 'Ouvrir la référence de l’API',
  'failure.url': 'Cette URL n’est pas valide',
  'failure.url_text':
    'Une partie manque ou a été modifiée. Copiez-la de nouveau, ou retournez à l’application et ' +
    'recommencez.',
  'failure.form_size': 'Le formulaire est trop volumineux',
  'failure.form_size_text':
    'Un formulaire peut avoir au plus 64 ko. Revenez à la page précédente, cherchez un champ contenant un ' +
    'mauvais texte et envoyez de nouveau le formulaire.',
  'failure.form_only': 'Seul un formulaire peut être envoyé ici',
  'failure.form_only_text':
    'Ouvrez dans un navigateur le lien que vous avez reçu et envoyez le formulaire depuis cette page.',
  'failure.unavailable': 'Le serveur n’est pas disponible pour le moment',
  'failure.unavailable_text': 'Attendez une minute.',
  'failure.not_possible': 'Ce serveur ne peut pas connecter ce compte',
  'failure.not_possible_text':
    'L’application qui vous a envoyé ici doit utiliser un autre mode de connexion.',
  'failure.server': 'Une erreur s’est produite sur ce serveur',
  'failure.server_text': 'Ce n’est pas votre faute.',
  'failure.server_again':
    'Si cela se reproduit, envoyez l’identifiant de demande ci-dessous à l’administrateur de ce serveur.',
  'failure.request': 'La demande a échoué',

  'field.stored':
    '{name} ne peut pas être enregistré : trop long ou avec des caractères non valides. Copiez la valeur ' +
    'de nouveau.',

  'method.title': 'Comment voulez-vous vous connecter ?',
  'method.provider': 'Se connecter chez {app}',
  'method.api_key': 'Saisir une clé d’API',
  'method.token': 'Saisir un jeton d’accès',
  'method.password': 'Saisir un nom d’utilisateur et un mot de passe',
  'method.service_account': 'Utiliser un compte de service',
  'method.other': 'Saisir d’autres identifiants',
}
