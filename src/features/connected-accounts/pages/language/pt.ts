import type { Texts } from './en.ts'
import { signInTexts } from './sign-in/pt.ts'

export const pt: Texts = {
  ...signInTexts,
  'error.title': 'Erro: {title}',
  this_application: 'Este aplicativo',
  'status.good': 'Conectado',
  'status.bad': 'Não conectado',
  support: 'Ajuda',
  privacy: 'Privacidade',
  request_id: 'Id da solicitação',
  continue_to: 'Continuar em {app}',
  cancel: 'Cancelar',
  start_again: 'Volte ao aplicativo e comece de novo.',
  nothing_changed: 'Nada foi alterado.',
  close_page: 'Você pode fechar esta página e voltar ao aplicativo.',

  'connect.title': 'Conectar {app}',
  'connect.button': 'Conectar',
  'reconnect.title': 'Reconectar {app}',
  'reconnect.button': 'Reconectar',
  'connect.asks': '{project} pede acesso à sua conta de {app}.',
  'reconnect.still_works':
    '{project} pede que você reconecte sua conta de {app}. Até lá, ela continua funcionando.',
  'reconnect.stopped':
    '{project} não pode mais usar sua conta de {app}. Reconecte-a, e tudo o que a usa continua.',
  'connect.for_user': 'Para {user}, usuário de {project}.',
  'connect.at_provider': 'Você entra em {app}; esta página não pede sua senha.',
  'connect.stored': 'O que você digita é guardado criptografado e nunca mais é mostrado.',
  'connect.permissions': '{project} poderá',
  'connect.show_all': 'Mostrar todas as {count} permissões',
  'connect.rejected': '{app} não aceitou o que você digitou. Verifique e tente de novo.',
  'connect.no_response':
    '{app} não deu uma resposta utilizável. Verifique as URLs digitadas, ou tente de novo em um minuto.',
  'connect.impossible': 'Esta conexão não é possível com o que você digitou.',
  'connect.details': 'Mais detalhes',
  'connect.hint': 'Onde encontro isto em {app}?',
  'connect.nothing_yet': 'Nada está conectado ainda',
  optional: '(opcional)',
  choose_option: 'Escolher…',
  'field.choose': 'Escolha um valor para {name}.',
  'field.enter': 'Digite um valor para {name}.',
  'field.enum': 'Escolha um dos valores da lista para {name}.',
  'field.format': '{name} não tem o formato correto.',
  'field.example': 'Exemplo: {example}',
  'field.copy': 'Copie de novo, sem nada antes nem depois.',
  'field.number': 'Digite um número.',

  'choose.title': 'Escolher: {what}',
  'choose.lead': 'Você tem mais de um em {app}. {project} usará o que você escolher.',
  'choose.missing': 'Escolha um item da lista.',

  'flow.waiting': 'Aguardando {app}',
  'flow.waiting_text':
    '{app} ainda precisa confirmar a conexão, o que leva alguns segundos. Você também pode fechar esta página: a ' +
    'conexão é concluída sem ela.',
  'flow.check_again': 'Verificar de novo',
  'flow.going_back': 'Voltando ao aplicativo.',
  'flow.back': 'Voltar ao aplicativo',
  'flow.almost_done': 'Quase pronto',
  'flow.connected': '{app} está conectado',
  'flow.not_connected': '{app} não está conectado',
  'flow.connected_as': 'Você está conectado como {identity}.',
  'flow.connected_before': 'Antes, era {identity}.',
  'flow.keeps_working': 'A conexão existente continua funcionando.',
  'flow.what_is_missing': 'O que falta',
  'flow.provider_message': 'Mensagem do provedor',
  'flow.to_provider': 'Redirecionando para {app}',
  'flow.to_provider_text': 'Entre lá e permita o acesso. Depois, {app} envia você de volta.',

  'link.expired': 'Este link expirou',
  'link.expired_text': 'Uma conexão precisa ser concluída em dez minutos, e um link funciona uma só vez.',
  'link.unknown': 'Este link não existe',
  'link.unknown_text': 'Verifique se a URL está completa, ou volte ao aplicativo e comece de novo.',
  'link.no_state': 'A resposta do provedor está incompleta',
  'link.no_state_text':
    'O provedor enviou você de volta sem “state”, então não é possível identificar esta conexão.',
  'link.wrong_browser': 'Você começou em outro navegador',
  'link.wrong_browser_text':
    'Uma conexão precisa ser concluída no navegador em que começou, com cookies permitidos. Nada foi alterado. Volte ao ' +
    'aplicativo neste navegador e comece de novo.',
  'link.wrong_url': 'A resposta chegou à URL errada',
  'link.wrong_url_text':
    'O provedor enviou você a uma URL que pertence a outra conexão, então nada foi conectado. Se você não esperava ' +
    'isso, alguém pode ter tentado misturar duas conexões.',
  'link.none_started': 'Nenhuma conexão foi iniciada neste navegador',
  'link.none_started_text':
    'Uma instalação iniciada em outro lugar não pode ser atribuída a um usuário, então nada foi conectado. Inicie a ' +
    'conexão no aplicativo e instale a partir da página que ele abre, em dez minutos e neste navegador.',
  'link.several_started': 'Várias conexões foram iniciadas neste navegador',
  'link.several_started_text':
    'Não está claro a qual delas esta instalação pertence, então nada foi conectado. Espere dez minutos, ou volte ao ' +
    'aplicativo e comece de novo.',
  'link.no_cookie': 'Este formulário não foi aberto neste navegador',
  'link.no_cookie_text':
    'Permita cookies para este site, abra o link de novo e envie o formulário de lá. Nada foi alterado.',

  'provider.declined': 'Você não deu acesso',
  'provider.declined_text': 'Nada foi conectado, porque o acesso foi recusado em {app}.',
  'provider.declined_retry':
    'Se foi por engano: volte ao aplicativo, comece de novo e permita o acesso. Se você permitiu, talvez um ' +
    'administrador precise aprovar o aplicativo antes.',
  'provider.approval_pending': 'Um administrador precisa aprovar a instalação',
  'provider.approval_pending_text':
    '{app} avisou os administradores da sua organização. Depois que um deles aprovar: volte ao aplicativo e comece de ' +
    'novo.',
  'provider.consent_missing': 'Nenhum administrador permitiu o acesso',
  'provider.consent_missing_text':
    'Esta conexão precisa do consentimento de um administrador da sua organização em {app}. Peça a um deles que abra o ' +
    'link do aplicativo, ou volte ao aplicativo e comece de novo.',
  'provider.consent_required': '{app} precisa do seu consentimento',
  'provider.consent_required_text': '{app} não o pediu desta vez.',
  'provider.sign_in': 'Você precisa entrar em {app}',
  'provider.sign_in_text': 'Entre primeiro em {app} neste navegador.',
  'provider.choose_account': 'Você precisa escolher uma conta em {app}',
  'provider.choose_account_text': 'Entre em {app} com a conta que quer conectar.',
  'provider.redirect': 'O URI de redirecionamento não está registrado',
  'provider.redirect_text':
    '{app} não aceita a URL para a qual precisa enviar você de volta. A pessoa que configurou esta conexão precisa ' +
    'abrir as configurações do aplicativo em {app} e adicionar este URI de redirecionamento, exatamente assim:',
  'provider.client': '{app} não aceita o aplicativo desta conexão',
  'provider.client_text':
    'O client id ou o client secret está errado, ou foi substituído em {app}. A pessoa que configurou esta conexão ' +
    'precisa informar os atuais na auth config.',
  'provider.no_access': '{app} não deixa este aplicativo pedir acesso',
  'provider.grant_type_text':
    'O aplicativo não está registrado em {app} para esta forma de entrar. A pessoa que configurou esta conexão precisa ' +
    'mudar isso nas configurações do aplicativo em {app}.',
  'provider.unauthorized_text':
    'O aplicativo está registrado em {app}, mas não para esta forma de entrar, ou ainda não foi aprovado. A pessoa que ' +
    'configurou esta conexão precisa mudar isso nas configurações do aplicativo em {app}.',
  'provider.scope': '{app} não reconhece uma permissão solicitada',
  'provider.scope_text':
    'Uma das permissões (scopes) está escrita errado ou não está ativada para o aplicativo. A pessoa que configurou ' +
    'esta conexão precisa corrigir os scopes da auth config, ou ativá-los nas configurações do aplicativo em {app}.',
  'provider.target': '{app} não reconhece o destino desta conexão',
  'provider.target_text':
    'O recurso desta conexão não existe em {app}. A pessoa que configurou esta conexão precisa corrigi-lo.',
  'provider.request': '{app} não entendeu a solicitação',
  'provider.request_text':
    'A pessoa que configurou esta conexão precisa comparar a auth config com as configurações do aplicativo em {app}.',
  'provider.code_expired': 'A entrada demorou demais',
  'provider.code_expired_text': '{app} não aceita mais o código que emitiu.',
  'provider.failed': '{app} tem um problema',
  'provider.wait_text': 'A culpa não é sua. Espere alguns minutos.',
  'provider.unavailable': '{app} não está disponível no momento',
  'provider.too_many_text': 'Ele recebeu solicitações demais. Espere alguns minutos.',
  'provider.not_available': '{app} não pode mais ser conectado',
  'provider.not_available_text':
    'Enquanto você estava em {app}, uma configuração de que esta conexão precisa foi removida aqui. Envie a mensagem ' +
    'abaixo à pessoa que lhe deu o link. Quando a configuração voltar, comece de novo.',
  'provider.other': '{app} não foi conectado',

  'scope.openid': 'Saber quem você é',
  'scope.profile': 'Ver seu nome e sua foto',
  'scope.email': 'Ver seu endereço de e-mail',
  'scope.address': 'Ver seu endereço postal',
  'scope.phone': 'Ver seu número de telefone',
  'scope.offline_access': 'Manter o acesso enquanto você está ausente',
  'scope.other': 'Acessar “{name}”',
  'tools.see': 'Ver dados',
  'tools.change': 'Criar e alterar dados',
  'tools.delete': 'Excluir dados',
  'tools.more': '{names} e mais {count}',

  'approval.title': 'Permitir “{tool}” em {app}?',
  'approval.lead': '{project} pergunta antes de executar isto. Nada foi enviado ainda.',
  'approval.lead_user': '{project} pergunta antes de executar isto para {user}. Nada foi enviado ainda.',
  'approval.application': 'Um aplicativo',
  'approval.tool': 'Ferramenta',
  'approval.account': 'Conta',
  'approval.reason': 'Motivo',
  'approval.decide_before': 'Decidir antes de',
  'approval.allow_once': 'Permitir uma vez',
  'approval.allow_session': 'Permitir nesta sessão',
  'approval.deny': 'Negar',
  'approval.read_first': 'Você poderá permitir a chamada depois de ver o último argumento.',
  'approval.continue': 'Continuar lendo',
  'approval.once':
    '“Permitir uma vez” permite exatamente esta chamada. Se algo nela mudar, você é perguntado de novo.',
  'approval.session':
    '“Permitir nesta sessão” permite também toda chamada posterior de “{tool}”, com quaisquer valores, até a sessão ' +
    'terminar.',
  'approval.session_account':
    '“Permitir nesta sessão” permite também toda chamada posterior de “{tool}” com esta conta, com quaisquer valores, ' +
    'até a sessão terminar.',
  'approval.soon': 'em menos de um minuto',
  'approval.sources': 'Antes desta chamada, o agente leu conteúdo escrito por outras pessoas',
  'approval.sources_text':
    'Esse conteúdo pode conter instruções para o agente. Verifique se você quer esta chamada.',
  'approval.more': 'Mais',
  'approval.more_sources': 'mais {count} fontes',
  'approval.arguments': 'Argumentos',
  'approval.none': 'nenhum',
  'approval.more_arguments': 'Mais argumentos',
  'approval.hidden_arguments': 'Esta página não mostra mais {count} argumentos.',
  'approval.hidden_characters': 'Esta página não mostra mais {count} caracteres.',
  'approval.read_all': 'Leia-os com “patchbay approvals read” antes de decidir.',
  'content.mail': 'E-mail',
  'content.chat': 'Mensagens de chat',
  'content.web': 'Páginas da web',
  'content.issues': 'Issues, tickets ou código',
  'content.files': 'Arquivos e documentos',
  'content.social': 'Redes sociais',
  'content.calendar': 'Entradas de calendário',
  'content.forms': 'Formulários e comentários',
  'content.records': 'Registros de um aplicativo',
  'content.stored': 'Notas ou receitas de uma sessão anterior',
  'approval.expired': 'Esta solicitação expirou',
  'approval.expired_text':
    'Nada foi enviado. Se você ainda precisa da chamada, inicie-a de novo. Então você é perguntado outra vez.',
  'approval.decided': 'Esta solicitação já foi decidida',
  'approval.was_denied': 'A chamada foi negada. Você pode fechar esta página.',
  'approval.was_allowed': 'A chamada foi permitida. Você pode fechar esta página.',
  'approval.denied': 'Negado',
  'approval.denied_text': 'A chamada não é enviada. Você pode fechar esta página.',
  'approval.allowed': 'Permitido',
  'approval.allowed_text':
    'Volte e inicie a chamada de novo. Agora ela é executada exatamente como esta página a mostrou.',
}
