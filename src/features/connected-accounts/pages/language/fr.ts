import type { Texts } from './en.ts'
import { signInTexts } from './sign-in/fr.ts'

export const fr: Texts = {
  ...signInTexts,
  'error.title': 'Erreur : {title}',
  this_application: 'Cette application',
  'status.good': 'Connecté',
  'status.bad': 'Non connecté',
  support: 'Assistance',
  privacy: 'Confidentialité',
  request_id: 'Identifiant de requête',
  continue_to: 'Continuer vers {app}',
  cancel: 'Annuler',
  start_again: 'Revenez à l’application et recommencez.',
  nothing_changed: 'Rien n’a été modifié.',
  close_page: 'Vous pouvez fermer cette page et revenir à l’application.',

  'connect.title': 'Connecter {app}',
  'connect.button': 'Connecter',
  'reconnect.title': 'Reconnecter {app}',
  'reconnect.button': 'Reconnecter',
  'connect.asks': '{project} demande l’accès à votre compte {app}.',
  'reconnect.still_works':
    '{project} vous demande de reconnecter votre compte {app}. En attendant, il continue de fonctionner.',
  'reconnect.stopped':
    '{project} ne peut plus utiliser votre compte {app}. Reconnectez-le, et tout ce qui l’utilise reprend.',
  'connect.for_user': 'Pour {user}, utilisateur de {project}.',
  'connect.at_provider': 'Vous vous connectez chez {app} ; cette page ne demande pas votre mot de passe.',
  'connect.stored': 'Votre saisie est enregistrée chiffrée et n’est plus jamais affichée.',
  'connect.permissions': '{project} pourra',
  'connect.show_all': 'Afficher les {count} autorisations',
  'connect.rejected': '{app} n’a pas accepté votre saisie. Vérifiez-la et réessayez.',
  'connect.no_response':
    '{app} n’a pas donné de réponse utilisable. Vérifiez les URL saisies, ou réessayez dans une minute.',
  'connect.impossible': 'Cette connexion n’est pas possible avec votre saisie.',
  'connect.details': 'Plus de détails',
  'connect.hint': 'Où trouver cela chez {app} ?',
  'connect.nothing_yet': 'Rien n’est encore connecté',
  optional: '(facultatif)',
  choose_option: 'Choisir…',
  'field.choose': 'Choisissez une valeur pour {name}.',
  'field.enter': 'Saisissez une valeur pour {name}.',
  'field.enum': 'Choisissez une des valeurs de la liste pour {name}.',
  'field.format': '{name} n’a pas le bon format.',
  'field.example': 'Exemple : {example}',
  'field.copy': 'Copiez la valeur à nouveau, sans rien avant ni après.',
  'field.number': 'Saisissez un nombre.',

  'choose.title': 'Choisir : {what}',
  'choose.lead': 'Vous en avez plusieurs chez {app}. {project} utilisera celui que vous choisissez.',
  'choose.missing': 'Choisissez un élément de la liste.',

  'flow.waiting': 'En attente de {app}',
  'flow.waiting_text':
    '{app} doit encore confirmer la connexion, ce qui prend quelques secondes. Vous pouvez aussi fermer cette page : ' +
    'la connexion se termine sans elle.',
  'flow.check_again': 'Vérifier à nouveau',
  'flow.going_back': 'Retour à l’application en cours.',
  'flow.back': 'Revenir à l’application',
  'flow.almost_done': 'Presque terminé',
  'flow.connected': '{app} est connecté',
  'flow.not_connected': '{app} n’est pas connecté',
  'flow.connected_as': 'Vous êtes connecté en tant que {identity}.',
  'flow.connected_before': 'Auparavant, c’était {identity}.',
  'flow.keeps_working': 'La connexion existante continue de fonctionner.',
  'flow.what_is_missing': 'Ce qui manque',
  'flow.provider_message': 'Message du fournisseur',
  'flow.to_provider': 'Redirection vers {app}',
  'flow.to_provider_text': 'Connectez-vous là-bas et autorisez l’accès. {app} vous renvoie ensuite ici.',

  'link.expired': 'Ce lien a expiré',
  'link.expired_text': 'Une connexion doit être terminée en dix minutes, et un lien ne sert qu’une fois.',
  'link.unknown': 'Ce lien n’existe pas',
  'link.unknown_text': 'Vérifiez que l’URL est complète, ou revenez à l’application et recommencez.',
  'link.no_state': 'La réponse du fournisseur est incomplète',
  'link.no_state_text':
    'Le fournisseur vous a renvoyé sans « state » : cette connexion ne peut pas être identifiée.',
  'link.wrong_browser': 'Vous avez commencé dans un autre navigateur',
  'link.wrong_browser_text':
    'Une connexion doit être terminée dans le navigateur où elle a commencé, avec les cookies autorisés. Rien n’a été ' +
    'modifié. Revenez à l’application dans ce navigateur et recommencez.',
  'link.wrong_url': 'La réponse est arrivée à la mauvaise URL',
  'link.wrong_url_text':
    'Le fournisseur vous a renvoyé vers une URL qui appartient à une autre connexion : rien n’a été connecté. Si vous ' +
    'ne vous y attendiez pas, quelqu’un a peut-être essayé de mélanger deux connexions.',
  'link.none_started': 'Aucune connexion n’a commencé dans ce navigateur',
  'link.none_started_text':
    'Une installation commencée ailleurs ne peut être attribuée à aucun utilisateur : rien n’a été connecté. Commencez ' +
    'la connexion dans l’application, puis installez depuis la page qu’elle ouvre, en dix minutes et dans ce ' +
    'navigateur.',
  'link.several_started': 'Plusieurs connexions ont commencé dans ce navigateur',
  'link.several_started_text':
    'On ne sait pas à laquelle cette installation appartient : rien n’a été connecté. Attendez dix minutes, ou ' +
    'revenez à l’application et recommencez.',
  'link.no_cookie': 'Ce formulaire n’a pas été ouvert dans ce navigateur',
  'link.no_cookie_text':
    'Autorisez les cookies pour ce site, ouvrez à nouveau le lien et envoyez le formulaire de là. Rien n’a été modifié.',

  'provider.declined': 'Vous n’avez pas donné l’accès',
  'provider.declined_text': 'Rien n’a été connecté, car l’accès a été refusé chez {app}.',
  'provider.declined_retry':
    'Si c’était une erreur : revenez à l’application, recommencez et autorisez l’accès. Si vous l’aviez autorisé, un ' +
    'administrateur doit peut-être d’abord approuver l’application.',
  'provider.approval_pending': 'Un administrateur doit approuver l’installation',
  'provider.approval_pending_text':
    '{app} a prévenu les administrateurs de votre organisation. Après leur approbation : revenez à l’application et ' +
    'recommencez.',
  'provider.consent_missing': 'Aucun administrateur n’a autorisé l’accès',
  'provider.consent_missing_text':
    'Cette connexion exige l’accord d’un administrateur de votre organisation chez {app}. Demandez-lui d’ouvrir le ' +
    'lien de l’application, ou revenez à l’application et recommencez.',
  'provider.consent_required': '{app} a besoin de votre accord',
  'provider.consent_required_text': '{app} ne l’a pas demandé cette fois.',
  'provider.sign_in': 'Vous devez vous connecter chez {app}',
  'provider.sign_in_text': 'Connectez-vous d’abord chez {app} dans ce navigateur.',
  'provider.choose_account': 'Vous devez choisir un compte chez {app}',
  'provider.choose_account_text': 'Connectez-vous chez {app} avec le compte que vous voulez relier.',
  'provider.redirect': 'L’URI de redirection n’est pas enregistrée',
  'provider.redirect_text':
    '{app} n’accepte pas l’URL vers laquelle il doit vous renvoyer. La personne qui a configuré cette connexion doit ' +
    'ouvrir les réglages de l’application chez {app} et ajouter cette URI de redirection, exactement ainsi :',
  'provider.client': '{app} n’accepte pas l’application de cette connexion',
  'provider.client_text':
    'Le client id ou le client secret est faux, ou a été remplacé chez {app}. La personne qui a configuré cette ' +
    'connexion doit saisir les valeurs actuelles dans l’auth config.',
  'provider.no_access': '{app} ne laisse pas cette application demander l’accès',
  'provider.grant_type_text':
    'L’application n’est pas enregistrée chez {app} pour ce mode de connexion. La personne qui a configuré cette ' +
    'connexion doit le changer dans les réglages de l’application chez {app}.',
  'provider.unauthorized_text':
    'L’application est enregistrée chez {app}, mais pas pour ce mode de connexion, ou elle n’est pas encore ' +
    'approuvée. La personne qui a configuré cette connexion doit le changer dans les réglages de l’application chez ' +
    '{app}.',
  'provider.scope': '{app} ne connaît pas une autorisation demandée',
  'provider.scope_text':
    'Une des autorisations (scopes) est mal écrite ou n’est pas activée pour l’application. La personne qui a ' +
    'configuré cette connexion doit corriger les scopes de l’auth config, ou les activer dans les réglages de ' +
    'l’application chez {app}.',
  'provider.target': '{app} ne connaît pas la cible de cette connexion',
  'provider.target_text':
    'La ressource de cette connexion n’existe pas chez {app}. La personne qui a configuré cette connexion doit la ' +
    'corriger.',
  'provider.request': '{app} n’a pas compris la requête',
  'provider.request_text':
    'La personne qui a configuré cette connexion doit comparer l’auth config avec les réglages de l’application chez ' +
    '{app}.',
  'provider.code_expired': 'La connexion a pris trop de temps',
  'provider.code_expired_text': '{app} n’accepte plus le code qu’il a émis.',
  'provider.failed': '{app} a un problème',
  'provider.wait_text': 'Ce n’est pas de votre faute. Attendez quelques minutes.',
  'provider.unavailable': '{app} n’est pas disponible pour le moment',
  'provider.too_many_text': 'Il a reçu trop de requêtes. Attendez quelques minutes.',
  'provider.not_available': '{app} ne peut plus être connecté',
  'provider.not_available_text':
    'Pendant que vous étiez chez {app}, un réglage nécessaire à cette connexion a été supprimé ici. Envoyez le message ' +
    'ci-dessous à la personne qui vous a donné le lien. Recommencez quand le réglage est revenu.',
  'provider.other': '{app} n’a pas été connecté',

  'scope.openid': 'Savoir qui vous êtes',
  'scope.profile': 'Voir votre nom et votre photo',
  'scope.email': 'Voir votre adresse e-mail',
  'scope.address': 'Voir votre adresse postale',
  'scope.phone': 'Voir votre numéro de téléphone',
  'scope.offline_access': 'Garder l’accès pendant votre absence',
  'scope.other': 'Accéder à « {name} »',
  'tools.see': 'Voir des données',
  'tools.change': 'Créer et modifier des données',
  'tools.delete': 'Supprimer des données',
  'tools.more': '{names} et {count} autres',

  'approval.title': 'Autoriser « {tool} » dans {app} ?',
  'approval.lead': '{project} demande avant l’exécution. Rien n’a encore été envoyé.',
  'approval.lead_user': '{project} demande avant l’exécution pour {user}. Rien n’a encore été envoyé.',
  'approval.application': 'Une application',
  'approval.tool': 'Outil',
  'approval.account': 'Compte',
  'approval.reason': 'Raison',
  'approval.decide_before': 'Décider avant',
  'approval.allow_once': 'Autoriser une fois',
  'approval.allow_session': 'Autoriser pour cette session',
  'approval.deny': 'Refuser',
  'approval.read_first': 'Vous pourrez autoriser l’appel après avoir vu son dernier argument.',
  'approval.continue': 'Continuer la lecture',
  'approval.once':
    '« Autoriser une fois » autorise exactement cet appel. Si quelque chose y change, on vous redemande.',
  'approval.session':
    '« Autoriser pour cette session » autorise aussi tout appel ultérieur de « {tool} », avec n’importe quelles ' +
    'valeurs, jusqu’à la fin de la session.',
  'approval.session_account':
    '« Autoriser pour cette session » autorise aussi tout appel ultérieur de « {tool} » avec ce compte, avec ' +
    'n’importe quelles valeurs, jusqu’à la fin de la session.',
  'approval.soon': 'dans moins d’une minute',
  'approval.sources': 'Avant cet appel, l’agent a lu des contenus écrits par d’autres personnes',
  'approval.sources_text':
    'De tels contenus peuvent contenir des instructions pour l’agent. Vérifiez que vous voulez cet appel.',
  'approval.more': 'Autres',
  'approval.more_sources': '{count} autres sources',
  'approval.arguments': 'Arguments',
  'approval.none': 'aucun',
  'approval.more_arguments': 'Autres arguments',
  'approval.hidden_arguments': 'Cette page n’affiche pas {count} autres arguments.',
  'approval.hidden_characters': 'Cette page n’affiche pas {count} autres caractères.',
  'approval.read_all': 'Lisez-les avec « patchbay approvals read » avant de décider.',
  'content.mail': 'E-mail',
  'content.chat': 'Messages de chat',
  'content.web': 'Pages web',
  'content.issues': 'Issues, tickets ou code',
  'content.files': 'Fichiers et documents',
  'content.social': 'Réseaux sociaux',
  'content.calendar': 'Événements de calendrier',
  'content.forms': 'Formulaires et retours',
  'content.records': 'Enregistrements d’une application',
  'content.stored': 'Notes ou recettes d’une session antérieure',
  'approval.expired': 'Cette demande a expiré',
  'approval.expired_text':
    'Rien n’a été envoyé. Si vous avez encore besoin de l’appel, relancez-le. On vous redemandera alors.',
  'approval.decided': 'Cette demande est déjà décidée',
  'approval.was_denied': 'L’appel a été refusé. Vous pouvez fermer cette page.',
  'approval.was_allowed': 'L’appel a été autorisé. Vous pouvez fermer cette page.',
  'approval.denied': 'Refusé',
  'approval.denied_text': 'L’appel n’est pas envoyé. Vous pouvez fermer cette page.',
  'approval.allowed': 'Autorisé',
  'approval.allowed_text':
    'Revenez et relancez l’appel. Il s’exécute maintenant exactement comme cette page l’a montré.',
}
