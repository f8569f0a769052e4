import type { SignInTexts } from './en.ts'

export const signInTexts: SignInTexts = {
  'signin.title': 'Entrar para {resource}',
  'signin.asks': '{program} pede para usar {resource} de {project}.',
  'signin.asks_for': '{program} pede para usar {resource} de {project} para o usuário {user}.',
  'signin.program': 'Um programa que se apresenta como {name}',
  'signin.program_of': '{name} de {host}',
  'signin.unnamed': 'sem nome',
  'signin.have_link': 'Se {project} lhe deu um link de acesso, abra-o agora neste navegador.',
  'signin.or_key': 'Ou entre com uma chave do projeto',
  'signin.user': 'Usuário',
  'signin.user_text': 'O usuário cujas contas o programa vai usar.',
  'signin.key': 'Chave',
  'signin.key_text': 'Uma chave de API de {project} com a permissão sessions:write. Ela não é guardada.',
  'signin.button': 'Entrar',
  'signin.with_provider': 'Entrar com {provider}',
  'signin.provider_unreachable':
    '{provider} não está acessível no momento. Tente novamente em um minuto ou entre de outra forma.',
  'signin.provider_failed':
    'Não foi possível entrar com {provider}. Tente novamente ou entre de outra forma.',
  'signin.provider_no_user':
    '{provider} não informou qual usuário você é, por isso não é possível entrar com esse provedor. Fale com {project}.',
  'signin.as': 'Entrar como {user}',
  'signin.user_error': 'Digite um id de usuário de no máximo {max} caracteres.',
  'signin.key_error':
    'A chave de API de {project} não é válida, ou falta nela sessions:write ou tool_execution:write.',
  'signin.other_user': 'Você entrou como {user}, mas a URL no programa é para {other}.',
  'signin.link_lead':
    'Com este link de {project} você entra como {user} e pode permitir que programas usem {resource} por ' +
    'você.',
  'signin.link_foot': 'Este navegador mantém o acesso por uma hora. Continue somente se for você.',
  'signin.done': 'Você entrou',
  'signin.done_text':
    'Este navegador está com o acesso de {user} por uma hora. Conecte agora o seu programa. Ele abre aqui ' +
    'uma página em que você permite o acesso.',
  'signin.nothing': 'Não há nada para entrar aqui',
  'signin.nothing_text':
    'A URL no programa não é de um servidor MCP nem de uma sessão, ou foi excluída. Confira a URL no ' +
    'programa e conecte-o de novo.',
  'signin.too_many': 'Acessos abertos demais',
  'signin.too_many_text':
    'Acessos demais foram iniciados nesta rede e não concluídos. Espere 15 minutos e conecte de novo.',
  'signin.ended': 'Este acesso terminou',
  'signin.ended_text':
    'Ele já foi concluído ou ficou aberto por mais de 15 minutos. Conecte de novo no programa.',
  'signin.link_ended_text':
    'Um link de acesso vale uma vez, por dez minutos. Peça um novo ao aplicativo que lhe deu este.',

  'consent.title': 'Permitir o acesso a {resource}',
  'consent.asks': '{program} pede para usar {resource} de {project} em seu nome.',
  'consent.able': 'Ele poderá',
  'consent.run': 'executar as ferramentas de {resource} para o usuário {user}',
  'consent.use': 'usar as contas que {user} conectou para elas',
  'consent.allow': 'Permitir como {user}',
  'consent.result':
    'O resultado é enviado para: {destination}. Permita o acesso somente se você mesmo começou isto lá.',
  'consent.signed_in': 'Você entrou como {user}; {other}.',
  'consent.other': 'entrar como outro usuário',

  'program.local': 'um programa neste computador',
  'program.scheme': 'o programa neste computador que abre links {scheme}',

  'request.invalid': 'O programa enviou uma solicitação inválida',
  'request.invalid_text': 'O desenvolvedor do programa precisa corrigir isto.',
  'request.return': 'Voltar: {destination}',
  'request.wrong_url': 'O programa enviou uma URI de redirecionamento que não registrou',
  'request.wrong_url_text':
    'Nada é enviado para essa URI. Remova a conexão no programa e adicione-a de novo. Se não resolver, ' +
    'fale com o desenvolvedor do programa.',
  'request.too_many': 'Programas demais foram consultados',
  'request.unregistered': 'Este programa não está registrado',
  'request.unregistered_text': 'Remova a conexão no programa e adicione-a de novo.',

  'failure.missing': 'Esta página não existe',
  'failure.missing_text': 'Confira a URL. A referência da API mostra o que este servidor faz.',
  'failure.reference': 'Abrir a referência da API',
  'failure.url': 'Esta URL não é válida',
  'failure.url_text':
    'Falta uma parte ou ela foi alterada. Copie-a de novo, ou volte ao aplicativo e comece outra vez.',
  'failure.form_size': 'O formulário é grande demais',
  'failure.form_size_text':
    'Um formulário pode ter no máximo 64 kB. Volte uma página, procure um campo com o texto errado e ' +
    'envie o formulário de novo.',
  'failure.form_only': 'Aqui só é possível enviar um formulário',
  'failure.form_only_text': 'Abra em um navegador o link que você recebeu e envie o formulário de lá.',
  'failure.unavailable': 'O servidor não está disponível agora',
  'failure.unavailable_text': 'Espere um minuto.',
  'failure.not_possible': 'Este servidor não consegue conectar esta conta',
  'failure.not_possible_text': 'O aplicativo que enviou você para cá precisa usar outra forma de entrar.',
  'failure.server': 'Algo deu errado neste servidor',
  'failure.server_text': 'Não é culpa sua.',
  'failure.server_again':
    'Se acontecer de novo, envie o id de solicitação abaixo ao administrador deste servidor.',
  'failure.request': 'A solicitação falhou',

  'field.stored': '{name} não pode ser guardado: é longo demais ou tem caracteres inválidos. Copie de novo.',

  'method.title': 'Como você quer entrar?',
  'method.provider': 'Entrar em {app}',
  'method.api_key': 'Digitar uma chave de API',
  'method.token': 'Digitar um token de acesso',
  'method.password': 'Digitar usuário e senha',
  'method.service_account': 'Usar uma conta de serviço',
  'method.other': 'Digitar outras credenciais',
}
