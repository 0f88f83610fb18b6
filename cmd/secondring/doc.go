// Command secondring is the whole product in one file: the REST API, the live hub, the
// client and the commands.
//
// Start at run in main.go, which chooses the command. "serve", the default, reads the
// settings and starts the server (package app). The other commands are admin.go (admins,
// passwords, brands), backup.go (also restore), transfer.go (export, import), reconcile.go and health.go.
// They do their work with packages app and datastore; here are only their arguments and
// what they print.
//
// The tests here run the server in a process of its own: they kill it, fill its disk and
// overload it. Those of several nodes are in clustertest, those that compare open screens
// with the server are in consistencytest.
package main
